package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.testkit.Behaviour;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watchers of one client that takes nothing. */
class SessionWatchTest {
    private static final NamespaceName DEFAULT = NamespaceName.parse("public/default");
    private static final int SMALL_HEAP_BYTES = 1 << 20;

    private final EmbeddedChannel channel = new EmbeddedChannel();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    @Behaviour({"NS-10", "PRO-6"})
    void aBurstOfWhichEveryWatcherHearsCutsNobodyOffThatTakesIt() {
        MemoryBudget memory = new MemoryBudget(1 << 30);
        List<SessionWatch> watches = stuck(memory, 20);
        watches.forEach(watch -> changed(watch, 1_000, ""));
        assertThat(channel.isOpen()).isTrue();
        assertThat(memory.heldBytes(Kind.CONSUMERS)).isGreaterThan(20_000 * 100);
        changed(watches.get(0), 10_000, "");
        assertThat(channel.isOpen()).as("10 000 of one").isTrue();
        changed(watches.get(0), 10_001, "");
        assertThat(channel.isOpen()).isFalse();
        watches.forEach(SessionWatch::ended);
        assertThat(memory.heldBytes(Kind.CONSUMERS)).isZero();
    }

    @Test
    @Behaviour({"NS-10", "PRO-14"})
    void whoTakesNothingIsCutOffWhenThereIsNoMemoryForWhatItIsToBeTold() {
        MemoryBudget memory = new MemoryBudget(SMALL_HEAP_BYTES);
        SessionWatch watch = stuck(memory, 1).get(0);
        changed(watch, 100, "x".repeat(1_000));
        assertThat(channel.isOpen()).isTrue();
        changed(watch, 1_000, "x".repeat(1_000));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @Behaviour("NS-10")
    void whatIsTakenIsCountedNoMore() {
        MemoryBudget memory = new MemoryBudget(1 << 30);
        SessionWatch watch = stuck(memory, 1).get(0);
        changed(watch, 1_500, "");
        takesOutput(true);
        watch.send();
        assertThat(memory.heldBytes(Kind.CONSUMERS)).isZero();
        assertThat(channel.releaseOutbound()).as("something was written").isTrue();
    }

    private List<SessionWatch> stuck(MemoryBudget memory, int count) {
        Connection connection = new Connection(
                channel, SessionLimits.DEFAULTS, new PublishMemory(1), ServerFixture.complaints(channel), memory);
        takesOutput(false);
        List<SessionWatch> watches = IntStream.range(0, count)
                .mapToObj(id -> new SessionWatch(connection, id, DEFAULT, ".*"))
                .toList();
        watches.forEach(SessionWatch::opened);
        return watches;
    }

    private void takesOutput(boolean isWritable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, isWritable);
    }

    /** Topics up to that number were made; those that it has heard of before are not new. */
    private void changed(SessionWatch watch, int names, String prefix) {
        watch.changed(IntStream.range(0, names).mapToObj(i -> prefix + i).toList(), List.of(), "hash");
        channel.runPendingTasks();
    }
}
