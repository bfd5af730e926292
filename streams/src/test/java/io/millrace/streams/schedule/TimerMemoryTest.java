package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.OwnJvm;
import io.millrace.testkit.Behaviour;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What timers cost in memory, and that nothing is left of them. */
class TimerMemoryTest {
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final int TIMERS = 1 << 20;
    private static final int BATCH = 1 << 16;

    /** A task with a kilobyte of its own. */
    private static final class Payload implements Runnable {
        private final byte[] kilobyte = new byte[1024];

        @Override
        public void run() {
            throw new IllegalStateException("a timer of one day has fired, with " + kilobyte.length + " bytes");
        }
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
            Await.until("the payloads are garbage", () -> {
                System.gc();
                return payloads.stream().allMatch(payload -> payload.get() == null);
            });
            assertThat(handles).hasSize(TIMERS).allMatch(Disposable::isDisposed);
        }
    }

    /** A serial collector gives back all that is garbage, at once. */
    @Test
    @Behaviour("SCH-8")
    void theHeapIsBackNearTheStartOnceTheWorkerIsDisposed() throws Exception {
        OwnJvm.assertSucceeds(TimerMemoryProgram.class, List.of("-Xmx256m", "-XX:+UseSerialGC"));
    }

    @Test
    @Behaviour({"SCH-7", "SCH-8"})
    void cancelledTimersAreCompactedThoughMemoryWasShortOnce() throws Exception {
        OwnJvm.assertSucceeds(FullHeapProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC"));
    }
}
