package io.millrace.broker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What may be taken, what is refused, and what that says. */
class MemoryBudgetTest {
    private static final long HEAP_BYTES = 64 << 20;

    private final MemoryBudget memory = new MemoryBudget(HEAP_BYTES);

    @Test
    @Behaviour("PRO-14")
    void theWholeIsLessThanHalfOfTheHeap() {
        assertThat(memory.limitBytes()).isBetween(HEAP_BYTES * 44 / 100, HEAP_BYTES * 45 / 100);
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    @Behaviour("PRO-14")
    void brokersOfOneProcessShareItsHeap() {
        AtomicInteger brokers = new AtomicInteger(1);
        MemoryBudget shared = new MemoryBudget(HEAP_BYTES, brokers::get);
        long taken = memory.limitBytes(Kind.PRODUCERS) / 2 + 1;
        assertThat(shared.tryTake(Kind.PRODUCERS, taken)).isTrue();
        brokers.set(2);
        assertThat(shared.limitBytes()).isEqualTo(memory.limitBytes() / 2);
        assertThat(shared.isShort(Kind.PRODUCERS)).isTrue();
        assertThat(shared.refusal(Kind.PRODUCERS)).contains("as its heap has 64.0 MiB for 2 brokers.");
        brokers.set(1);
        assertThat(shared.limitBytes()).isEqualTo(memory.limitBytes());
        assertThat(shared.tryTake(Kind.PRODUCERS, 1)).isTrue();
    }

    @Test
    @Behaviour("PRO-14")
    void noKindTakesMoreThanItsPart() {
        for (Kind kind : Kind.values()) {
            MemoryBudget fresh = new MemoryBudget(HEAP_BYTES);
            long part = fresh.limitBytes(kind);
            assertThat(part).isLessThan(fresh.limitBytes() * 4 / 5);
            assertThat(fresh.tryTake(kind, part + 1)).as("more than its part").isFalse();
            assertThat(fresh.heldBytes()).as("after a refusal").isZero();
            assertThat(fresh.tryTake(kind, part)).isTrue();
            assertThat(fresh.isShort(kind)).isTrue();
            assertThat(fresh.tryTake(kind, 1)).isFalse();
            assertThat(fresh.heldBytes(kind)).isEqualTo(part);
        }
    }

    @Test
    @Behaviour("PRO-14")
    void allKindsTogetherTakeNoMoreThanTheWhole() {
        assertThat(memory.tryTake(Kind.PRODUCERS, memory.limitBytes(Kind.PRODUCERS)))
                .isTrue();
        long left = memory.limitBytes() - memory.heldBytes();
        assertThat(memory.isShort(Kind.CONSUMERS)).isFalse();
        assertThat(memory.tryTake(Kind.CONSUMERS, left + 1)).isFalse();
        assertThat(memory.heldBytes(Kind.CONSUMERS)).as("after a refusal").isZero();
        assertThat(memory.tryTake(Kind.CONSUMERS, left)).isTrue();
        assertThat(memory.isShort(Kind.CONNECTIONS)).isTrue();
        memory.change(Kind.PRODUCERS, -memory.heldBytes(Kind.PRODUCERS));
        memory.change(Kind.CONSUMERS, -left);
        assertThat(memory.heldBytes()).isZero();
        assertThat(memory.isShort(Kind.CONNECTIONS)).isFalse();
    }

    @Test
    @Behaviour("PRO-14")
    void aRefusalNamesTheLimitWhatIsHeldAndHowToRaiseIt() {
        memory.change(Kind.SUBSCRIPTIONS, 3 << 20);
        memory.change(Kind.CONSUMERS, 1 << 20);
        assertThat(memory.refusal(Kind.SUBSCRIPTIONS))
                .contains("subscriptions", "4.0 of 28.7 MiB", "3.0 of at most 21.5 MiB", "-Xmx", "container");
    }

    @Test
    @Behaviour("PRO-14")
    void storedTopicsAndClientsLeaveAFifthOfTheHeapAndClientsKeepAPart() {
        long whole = memory.limitBytes();
        memory.stored(HEAP_BYTES / 4);
        assertThat(memory.limitBytes()).isEqualTo(whole);
        memory.stored(HEAP_BYTES / 2);
        assertThat(memory.limitBytes()).isBetween(HEAP_BYTES * 29 / 100, HEAP_BYTES * 30 / 100);
        assertThat(memory.hasRoomForTopics()).isTrue();
        assertThat(memory.tryTake(Kind.CONNECTIONS, memory.limitBytes())).isTrue();
        assertThat(memory.tryTake(Kind.CONSUMERS, 1)).isFalse();
        memory.stored(HEAP_BYTES);
        assertThat(memory.hasRoomForTopics()).isFalse();
        assertThat(memory.limitBytes()).isEqualTo(whole / 4);
        assertThat(memory.topicRefusal()).contains("no memory for more topics", "64.0 MiB", "51.", "-Xmx");
    }

    @Test
    @Behaviour("PRO-14")
    void threadsThatTakeAndGiveBackNeverHoldMoreThanThereIsAndLeaveNothing() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Long>> peaks = new ArrayList<>();
        long piece = memory.limitBytes(Kind.CONSUMERS) / 7;
        for (int i = 0; i < 4; i++) {
            Kind kind = i % 2 == 0 ? Kind.CONSUMERS : Kind.CONNECTIONS;
            peaks.add(threads.submit(() -> takeAndGiveBack(kind, piece)));
        }
        for (Future<Long> peak : peaks) {
            assertThat(peak.get(20, TimeUnit.SECONDS))
                    .as("pieces of one thread")
                    .isLessThanOrEqualTo(7);
        }
        threads.shutdown();
        assertThat(memory.heldBytes()).isZero();
        for (Kind kind : Kind.values()) {
            assertThat(memory.heldBytes(kind)).isZero();
        }
    }

    /** The most pieces that this thread had at a time. */
    private long takeAndGiveBack(Kind kind, long piece) {
        long peak = 0;
        for (int round = 0; round < 20_000; round++) {
            long taken = 0;
            while (memory.tryTake(kind, piece)) {
                taken++;
            }
            peak = Math.max(peak, taken);
            memory.change(kind, -taken * piece);
        }
        return peak;
    }
}
