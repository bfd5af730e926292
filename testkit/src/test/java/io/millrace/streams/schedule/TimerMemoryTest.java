package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What timers cost in memory, and that nothing is left of them. */
class TimerMemoryTest {
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final int TIMERS = 1 << 20;
    private static final int BATCH = 1 << 16;
    private static final int MANY = 100_000;
    private static final long NEAR_BYTES = 2 << 20;
    private static final long SAME_BYTES = 64 << 10;

    /** A task with a kilobyte of its own. */
    private static final class Payload implements Runnable {
        private final byte[] kilobyte = new byte[1024];

        @Override
        public void run() {
            throw new IllegalStateException("a timer of one day has fired, with " + kilobyte.length + " bytes");
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

    /** What is used once nothing that came before is still being given back. */
    private static long settledBytes() {
        long last = usedBytes();
        for (int same = 0, looks = 0; same < 3 && looks < 100; looks++) {
            long now = usedBytes();
            same = Math.abs(now - last) < SAME_BYTES ? same + 1 : 0;
            last = now;
        }
        return last;
    }

    /** The payloads of all timers together would not fit into the heap of this test. */
    @Test
    @Behaviour({"SCH-7", "SCH-8"})
    void aMillionCancelledTimersKeepNoneOfTheirPayloadsAliveThoughTheirHandlesAreKept() throws Exception {
        try (Scheduler scheduler = Schedulers.single()) {
            Worker worker = scheduler.createWorker();
            List<Disposable> handles = new ArrayList<>(TIMERS);
            List<WeakReference<Payload>> payloads = new ArrayList<>(TIMERS);
            for (int batch = 0; batch < TIMERS / BATCH; batch++) {
                for (int i = 0; i < BATCH; i++) {
                    Payload payload = new Payload();
                    payloads.add(new WeakReference<>(payload));
                    handles.add(worker.schedule(payload, ONE_DAY));
                }
                List<Disposable> last = handles.subList(handles.size() - BATCH, handles.size());
                Thread other = new Thread(() -> last.forEach(Disposable::dispose));
                other.start();
                other.join();
            }
            System.gc();
            assertThat(payloads.stream().filter(payload -> payload.get() != null))
                    .isEmpty();
            assertThat(handles).hasSize(TIMERS).allMatch(Disposable::isDisposed);
        }
    }

    @Test
    @Behaviour("SCH-8")
    void theHeapIsBackNearTheStartOnceTheWorkerIsDisposed() {
        try (Scheduler scheduler = Schedulers.single()) {
            Worker beside = scheduler.createWorker();
            passOneTurn(beside);
            for (boolean periodic : new boolean[] {false, true}) {
                long before = settledBytes();
                Worker worker = scheduler.createWorker();
                scheduleMany(worker, periodic);
                passOneTurn(beside);
                long held = usedBytes() - before;
                assertThat(held / (double) MANY).as("bytes a timer").isBetween(40.0, periodic ? 72.0 : 64.0);
                worker.dispose();
                Await.until("the heap is back near the start", () -> usedBytes() - before < NEAR_BYTES);
            }
        }
    }

    private static void scheduleMany(Worker worker, boolean periodic) {
        Runnable nothing = () -> {};
        for (int i = 0; i < MANY; i++) {
            if (periodic) {
                worker.schedulePeriodically(nothing, ONE_DAY, ONE_DAY);
            } else {
                worker.schedule(nothing, ONE_DAY);
            }
        }
    }
}
