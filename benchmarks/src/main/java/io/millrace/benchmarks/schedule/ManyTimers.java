package io.millrace.benchmarks.schedule;

import io.millrace.benchmarks.process.Medians;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One round of one library: a million tasks of one day on one worker are scheduled, weighed, and got rid of. What is
 * scheduled counts once the worker's thread has got to a task behind it; what is disposed counts once a task beside
 * the worker has run on that thread, and then one collection must find every payload.
 */
final class ManyTimers {
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final int TASKS_PER_WATCHED_PAYLOAD = 4096;

    private final TimerLibrary library;
    private final int tasks;
    private final List<WeakReference<Runnable>> payloads = new ArrayList<>();

    ManyTimers(TimerLibrary library, int tasks) {
        this.library = library;
        this.tasks = tasks;
    }

    /** A task of its own, so that its life can be watched. */
    private static final class Payload implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("a task of one day's delay has run");
        }
    }

    void disposeAtOnce(Medians medians) throws InterruptedException {
        try (TimerWorker worker = library.newWorker()) {
            passThrough(worker);
            long before = usedBytes();
            long start = System.nanoTime();
            Runnable shared = new Payload();
            for (int i = 0; i < tasks; i++) {
                worker.schedule(task(i, shared), ONE_DAY);
            }
            passThrough(worker);
            medians.add("schedule", "ms", library.label(), millisSince(start));
            medians.add("bytes-a-task", "B", library.label(), (usedBytes() - before) / (double) tasks);
            start = System.nanoTime();
            worker.dispose();
            passBeside(worker);
            medians.add("dispose-the-worker", "ms", library.label(), millisSince(start));
            requireNoPayload();
        }
    }

    void cancelEach(Medians medians) throws InterruptedException {
        try (TimerWorker worker = library.newWorker()) {
            Object[] handles = new Object[tasks];
            Runnable shared = new Payload();
            for (int i = 0; i < tasks; i++) {
                handles[i] = worker.schedule(task(i, shared), ONE_DAY);
            }
            passThrough(worker);
            double[] millis = new double[1];
            Thread other = new Thread(() -> {
                long start = System.nanoTime();
                for (Object handle : handles) {
                    worker.cancel(handle);
                }
                millis[0] = millisSince(start);
            });
            other.start();
            other.join();
            medians.add("cancel-each-elsewhere", "ms", library.label(), millis[0]);
            passBeside(worker);
            requireNoPayload();
        }
    }

    private Runnable task(int number, Runnable shared) {
        if (number % TASKS_PER_WATCHED_PAYLOAD != 0) {
            return shared;
        }
        Runnable payload = new Payload();
        payloads.add(new WeakReference<>(payload));
        return payload;
    }

    private void requireNoPayload() {
        System.gc();
        long alive = payloads.stream().filter(payload -> payload.get() != null).count();
        if (payloads.isEmpty() || alive > 0) {
            throw new IllegalStateException(library + " keeps " + alive + " of " + payloads.size() + " payloads alive");
        }
        payloads.clear();
    }

    static void passThrough(TimerWorker worker) throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(1);
        worker.schedule(passed::countDown);
        await(passed);
    }

    private static void passBeside(TimerWorker worker) throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(1);
        worker.scheduleBeside(passed::countDown);
        await(passed);
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a task has not run within a minute");
        }
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }
}
