package io.millrace.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Frames that no client should send, against a broker with a heap of 64 MB: it lives, its heap stays where it was, and
 * another client is served. {@code -Dmillrace.fuzz.frames=N} sets how many; {@code -Dmillrace.fuzz.seed=N} which.
 */
final class BrokerFuzzTest {
    private static final long DEEP_FRAMES = 10_000_000;
    private static final long FRAMES =
            Long.getLong("millrace.fuzz.frames", Boolean.getBoolean("millrace.deep") ? DEEP_FRAMES : 20_000);
    private static final long GROWTH_BYTES = 3 << 18;

    private final long seed = Long.getLong("millrace.fuzz.seed", System.nanoTime());

    @TempDir
    Path folder;

    @Test
    @Behaviour({"PRO-1", "PRO-6"})
    void mutatedFramesHarmNobody() throws Exception {
        attack(MutatedFrames::new);
    }

    @Test
    @Behaviour({"PRO-8", "PRO-9"})
    void hostileCommandsHarmNobody() throws Exception {
        attack(HostileCommands::new);
    }

    private void attack(Function<Random, FrameSource> frames) throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder)) {
            try (Attack attack = new Attack(broker.port(), frames.apply(new Random(seed)))) {
                attack.run(FRAMES / 4);
                attack.withdraw();
                long before = broker.liveHeapBytesWithout(Attack.TOPIC);
                attack.run(FRAMES - FRAMES / 4);
                attack.withdraw();
                awaitHeap(broker, before + GROWTH_BYTES);
            } catch (AssertionError | java.io.IOException e) {
                throw new AssertionError("seed " + seed + ": " + e + "\n" + broker.log(), e);
            }
            assertThat(broker.isAlive()).isTrue();
        }
    }

    /** What a connection held goes a moment after it. */
    private static void awaitHeap(BrokerProcess broker, long mostBytes) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        long live = broker.liveHeapBytesWithout(Attack.TOPIC); // the index of what is stored grows with that
        while (live > mostBytes && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(100_000_000);
            live = broker.liveHeapBytesWithout(Attack.TOPIC);
        }
        assertThat(live).as("live heap").isLessThan(mostBytes);
    }
}
