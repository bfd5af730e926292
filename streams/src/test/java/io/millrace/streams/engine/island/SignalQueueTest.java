package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
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
}
