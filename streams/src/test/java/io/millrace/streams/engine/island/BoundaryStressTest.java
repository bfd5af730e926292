package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the entry and the monitor publish at once comes out whole, in order, and once. */
@SuppressWarnings("ThreadPriorityCheck") // three threads that wait for each other by looking may share one core
final class BoundaryStressTest {
    private static final int CAPACITY = 16;
    private static final int PUBLISH_EVERY = 3;

    private final long elements = Boolean.getBoolean("millrace.deep") ? 1_000_000_000 : 20_000_000;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void close() {
        over.set(true);
        threads.shutdownNow();
    }

    @Test
    @Behaviour({"INT-6", "INT-10"})
    void aMonitorThatPublishesAllTheTimeLosesAndRepeatsNothing() throws Exception {
        Boundary boundary = new Boundary(null, null, CAPACITY);
        CompletableFuture<Void> entry = CompletableFuture.runAsync(() -> fill(boundary), threads);
        CompletableFuture<Void> monitor = CompletableFuture.runAsync(() -> publishAlways(boundary), threads);
        long next = 0;
        while (next < elements && !entry.isCompletedExceptionally() && !monitor.isDone()) {
            if (boundary.hasNext()) {
                assertThat((long) boundary.next()).isEqualTo(next);
                next++;
            } else {
                Thread.yield();
            }
        }
        assertThat(next).isEqualTo(elements);
        over.set(true);
        entry.get(20, TimeUnit.SECONDS);
        monitor.get(20, TimeUnit.SECONDS);
        assertThat(boundary.hasNext()).isFalse();
    }

    /** It may be told that there is room again while it is about to wait for that. */
    @Test
    @Behaviour("INT-6")
    void anEntryThatFindsTheRingFullAndThenNotKnowsItsRoom() throws Exception {
        Boundary boundary = new Boundary(null, null, CAPACITY);
        CompletableFuture<Void> entry = CompletableFuture.runAsync(() -> fillOneByOne(boundary), threads);
        long next = 0;
        while (next < elements && !entry.isCompletedExceptionally()) {
            if (boundary.hasNext()) {
                assertThat((long) boundary.next()).isEqualTo(next);
                next++;
            }
        }
        over.set(true);
        entry.get(20, TimeUnit.SECONDS);
    }

    private void fillOneByOne(Boundary boundary) {
        long next = 0;
        while (next < elements && !over.get()) {
            if (boundary.hasRoomOrPark()) {
                assertThat(boundary.room()).isBetween(1, CAPACITY);
                boundary.push(next);
                boundary.publish();
                next++;
            }
        }
    }

    private void fill(Boundary boundary) {
        long next = 0;
        while (next < elements && !over.get()) {
            if (boundary.room() > 0) {
                boundary.push(next);
                next++;
            } else {
                Thread.yield();
            }
            if (next % PUBLISH_EVERY == 0 || next == elements || boundary.room() == 0) {
                boundary.publish();
            }
        }
    }

    private void publishAlways(Boundary boundary) {
        while (!over.get()) {
            boundary.perform();
            Thread.yield();
        }
    }
}
