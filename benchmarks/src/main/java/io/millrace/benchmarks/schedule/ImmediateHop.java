package io.millrace.benchmarks.schedule;

import io.millrace.benchmarks.process.Medians;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What it takes a task to schedule the next one on its worker, while that worker has so many timers pending. */
final class ImmediateHop implements AutoCloseable {
    private static final int MIN_HOPS = 20;
    private static final int MAX_HOPS = 1_000_000;
    private static final double RUN_NANOS = 30e6;

    private final TimerLibrary library;
    private final int pending;
    private final TimerWorker worker;
    private int hopsOfARun = MIN_HOPS;

    ImmediateHop(TimerLibrary library, int pending) {
        this.library = library;
        this.pending = pending;
        worker = library.newWorker();
        for (int i = 0; i < pending; i++) {
            worker.schedule(() -> {}, Duration.ofDays(1));
        }
    }

    String workload() {
        return "hop-" + pending + "-pending";
    }

    /** One run, long enough to be timed and short where a hop takes long. */
    void measure(Medians medians) throws InterruptedException {
        ManyTimers.passThrough(worker);
        double nanos = nanosAHop(hopsOfARun);
        hopsOfARun = (int) Math.min(MAX_HOPS, Math.max(MIN_HOPS, RUN_NANOS / nanos));
        medians.add(workload(), "ns", library.label(), nanos);
    }

    private double nanosAHop(int hops) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        long start = System.nanoTime();
        worker.schedule(new Runnable() {
            private int left = hops;

            @Override
            public void run() {
                if (--left > 0) {
                    worker.schedule(this);
                } else {
                    done.countDown();
                }
            }
        });
        ManyTimers.await(done);
        return (System.nanoTime() - start) / (double) hops;
    }

    @Override
    public void close() {
        worker.dispose();
        worker.close();
    }
}
