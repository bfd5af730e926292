package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.OwnJvm;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MessageQueueTest {
    private static final int PRODUCERS = 4;
    private static final int EACH = 100_000;

    private final MessageQueue queue = new MessageQueue();

    /** The number of its producer and its own. */
    private record Numbered(int producer, int number) {}

    @Test
    void handsOutInOrderWhatOneThreadAddsOverManyChunks() {
        for (int i = 0; i < 1000; i++) {
            queue.add(i);
            if (i % 3 == 0) {
                assertThat(queue.poll()).isEqualTo(i / 3);
            }
        }
        for (int i = 334; i < 1000; i++) {
            assertThat(queue.isEmpty()).isFalse();
            assertThat(queue.poll()).isEqualTo(i);
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void isEmptyAtTheEndOfAChunk() {
        for (int round = 0; round < 100; round++) {
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.poll()).isNull();
            queue.add(round);
            assertThat(queue.isEmpty()).isFalse();
            assertThat(queue.poll()).isEqualTo(round);
        }
    }

    @Test
    void losesNothingAndKeepsTheOrderOfEachProducer() throws Exception {
        long seed = new Random().nextLong();
        List<Thread> producers = new ArrayList<>();
        for (int producer = 0; producer < PRODUCERS; producer++) {
            int own = producer;
            Random pauses = new Random(seed + producer);
            Thread thread = new Thread(() -> produce(own, pauses), "producer-" + producer);
            thread.start();
            producers.add(thread);
        }
        int[] next = new int[PRODUCERS];
        for (int taken = 0; taken < PRODUCERS * EACH; ) {
            if (queue.poll() instanceof Numbered message) {
                assertThat(message.number())
                        .as("seed %d, producer %d", seed, message.producer())
                        .isEqualTo(next[message.producer()]++);
                taken++;
            }
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    private void produce(int producer, Random pauses) {
        for (int number = 0; number < EACH; number++) {
            queue.add(new Numbered(producer, number));
            if (pauses.nextInt(10_000) == 0) {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    @Test
    void holdsNothingThatWasTaken() {
        List<WeakReference<Object>> taken = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Object message = new Object();
            taken.add(new WeakReference<>(message));
            queue.add(message);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(queue.poll()).isNotNull();
        }
        Await.until("everything taken is garbage", () -> {
            System.gc();
            return taken.stream().allMatch(reference -> reference.get() == null);
        });
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aMessageForWhichThereIsNoMemoryIsRefusedAndTheOthersComeOut() throws Exception {
        OwnJvm.assertSucceeds(FullHeapProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC"));
    }
}
