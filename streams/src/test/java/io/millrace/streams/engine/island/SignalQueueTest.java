package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignalQueueTest {
    private static final int PRODUCERS = 2;
    private static final int EACH = 300_000;

    private static final class Queue extends SignalQueue {}

    private static final class Nothing extends Signal {
        @Override
        void deliver() {
            // The test counts it.
        }
    }

    @Test
    @Behaviour({"ACT-9", "INT-2"})
    void itIsItsOwnNewestOnlyWhereAllSignalsHaveBeenTaken() throws Exception {
        Queue queue = new Queue();
        AtomicLong added = new AtomicLong();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < EACH; i++) {
                    queue.add(new Nothing());
                    added.incrementAndGet();
                }
            });
            producers.add(producer);
            producer.start();
        }
        long taken = 0;
        long missed = 0;
        while (taken < PRODUCERS * EACH) {
            if (queue.poll() != null) {
                taken++;
            }
            long before = added.get();
            if (queue.newest() == queue && taken < before) {
                missed++;
            }
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(missed).as("how often it looked empty and was not").isZero();
        assertThat(queue.poll()).isNull();
        assertThat(queue.hasNoSignals()).isTrue();
    }

    @Test
    @Behaviour({"ACT-9", "INT-2"})
    void aSignalThatWasTakenKeepsNoneThatCameAfterIt() {
        Queue queue = new Queue();
        Nothing kept = new Nothing();
        queue.add(kept);
        List<WeakReference<Signal>> later = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Nothing next = new Nothing();
            later.add(new WeakReference<>(next));
            queue.add(next);
        }
        assertThat(queue.poll()).isSameAs(kept);
        for (int i = 0; i < 100; i++) {
            assertThat(queue.poll()).isNotNull();
        }
        Await.until("the others are garbage", () -> {
            System.gc();
            return later.stream().allMatch(signal -> signal.get() == null);
        });
        queue.add(kept);
        assertThat(queue.poll()).isSameAs(kept);
        assertThat(queue.hasNoSignals()).isTrue();
    }
}
