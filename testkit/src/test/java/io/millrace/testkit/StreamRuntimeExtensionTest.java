package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StreamRuntimeExtension.class)
final class StreamRuntimeExtensionTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final TrackedScheduler scheduler = new TrackedScheduler(Schedulers.eventLoops(1));
    private final StreamRuntime own = StreamRuntime.create(RuntimeSettings.defaults(), scheduler);

    @AfterEach
    void close() {
        own.close();
        assertThat(scheduler.liveTasks()).isEmpty();
    }

    @Test
    void testGetsARuntimeOfItsOwn(StreamRuntime runtime, StreamRuntime same) throws Exception {
        assertThat(runtime).isSameAs(same).isNotSameAs(own);
        assertThat(Source.range(0, 3)
                        .runWith(Sink.seq(), runtime)
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS))
                .hasSize(3);
    }

    @Test
    void streamThatIsLeftIsNamed() {
        Source.never().to(Sink.ignore()).named("orders").run(own);
        assertThatThrownBy(() -> StreamLeakCheck.assertNothingLeft(own, scheduler, SHORT))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("orders");
    }

    /** A task with a name. */
    private record Named(String name) implements Runnable {
        @Override
        public void run() {
            // It is its being there that matters.
        }
    }

    @Test
    void timerThatIsLeftIsNamedUntilItIsDisposed() {
        Disposable late = own.scheduler().schedule(new Named("late"), Duration.ofHours(1));
        Disposable again =
                own.scheduler().schedulePeriodically(new Named("again"), Duration.ofMillis(1), Duration.ofMillis(1));
        Worker worker = own.scheduler().createWorker();
        worker.schedule(new Named("worker's"), Duration.ofHours(1));
        own.scheduler().schedule(new Named("soon"));
        assertThatThrownBy(() -> StreamLeakCheck.assertNothingLeft(own, scheduler, SHORT))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("late")
                .hasMessageContaining("again")
                .hasMessageContaining("worker's")
                .hasMessageNotContaining("soon");
        late.dispose();
        again.dispose();
        worker.dispose();
        StreamLeakCheck.assertNothingLeft(own, scheduler, SHORT);
    }
}
