package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Weighs the heap before, while and after a worker has very many timers, once and periodic ones. */
final class TimerMemoryProgram {
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final int MANY = 100_000;
    private static final long NEAR_BYTES = 1 << 20;

    private TimerMemoryProgram() {}

    public static void main(String[] arguments) {
        try (Scheduler scheduler = Schedulers.single()) {
            Worker beside = scheduler.createWorker();
            for (boolean isPeriodic : new boolean[] {false, true}) {
                timerBytes(scheduler, beside, isPeriodic); // leaves what loading of classes leaves
                double timerBytes = timerBytes(scheduler, beside, isPeriodic);
                System.out.println((isPeriodic ? "periodic: " : "once: ") + timerBytes + " bytes a timer");
                assertThat(timerBytes).as("bytes a timer").isBetween(40.0, isPeriodic ? 72.0 : 64.0);
            }
        }
    }

    private static double timerBytes(Scheduler scheduler, Worker beside, boolean isPeriodic) {
        passOneTurn(beside);
        long before = usedBytes();
        Worker worker = scheduler.createWorker();
        scheduleMany(worker, isPeriodic);
        passOneTurn(beside);
        long held = usedBytes() - before;
        worker.dispose();
        Await.until("the heap is back near the start", () -> usedBytes() - before < NEAR_BYTES);
        return held / (double) MANY;
    }

    private static void scheduleMany(Worker worker, boolean isPeriodic) {
        Runnable nothing = () -> {};
        for (int i = 0; i < MANY; i++) {
            if (isPeriodic) {
                worker.schedulePeriodically(nothing, ONE_DAY, ONE_DAY);
            } else {
                worker.schedule(nothing, ONE_DAY);
            }
        }
    }

    private static void passOneTurn(Worker worker) {
        CountDownLatch passed = new CountDownLatch(1);
        worker.schedule(passed::countDown);
        Await.until("the loop has turned", () -> passed.getCount() == 0);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
