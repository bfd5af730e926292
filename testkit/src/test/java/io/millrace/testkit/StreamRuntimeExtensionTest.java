package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

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
    void timerThatIsLeftIsNamedUntilItIsDisposed() throws Exception {
        Disposable late = own.scheduler().schedule(new Named("late"), Duration.ofHours(1));
        Disposable again =
                own.scheduler().schedulePeriodically(new Named("again"), Duration.ofMillis(1), Duration.ofMillis(1));
        Worker worker = own.scheduler().createWorker();
        worker.schedule(new Named("worker's"), Duration.ofHours(1));
        own.scheduler().schedule(new Named("soon"));
        CountDownLatch later = new CountDownLatch(1);
        own.scheduler().schedule(later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> StreamLeakCheck.assertNothingLeft(own, scheduler, SHORT))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("late")
                .hasMessageContaining("again")
                .hasMessageContaining("worker's")
                .hasMessageNotContaining("soon");
        late.dispose();
        again.dispose();
        worker.dispose();
        StreamLeakCheck.assertNothingLeft(own, scheduler);
    }

    /** Samples, run by the test below alone. */
    @ExtendWith(StreamRuntimeExtension.class)
    static class MadeWithOne {
        MadeWithOne(StreamRuntime runtime) {
            runtime.close();
        }

        @Test
        void passes() {
            // It is not made.
        }
    }

    @ExtendWith(StreamRuntimeExtension.class)
    static class PreparedForAll {
        @BeforeAll
        static void prepare(StreamRuntime runtime) {
            runtime.close();
        }

        @Test
        void passes() {
            // It is not prepared.
        }
    }

    @ExtendWith(StreamRuntimeExtension.class)
    static class PreparedForEach {
        private StreamRuntime prepared;

        @BeforeEach
        void prepare(StreamRuntime runtime) {
            prepared = runtime;
        }

        @Test
        void passes(StreamRuntime runtime) {
            assertThat(runtime).isSameAs(prepared);
        }
    }

    private static List<Throwable> failuresOf(Class<?> sample) {
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create(alone)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(sample))
                                .build(),
                        summary);
        return summary.getSummary().getFailures().stream()
                .map(TestExecutionSummary.Failure::getException)
                .toList();
    }

    @Test
    void aRuntimeThatNoTestWouldCloseIsRefused() {
        assertThat(failuresOf(MadeWithOne.class))
                .singleElement()
                .satisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(ParameterResolutionException.class)
                        .hasStackTraceContaining("MadeWithOne("));
        assertThat(failuresOf(PreparedForAll.class))
                .singleElement()
                .satisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(ParameterResolutionException.class)
                        .hasStackTraceContaining("prepare("));
        assertThat(failuresOf(PreparedForEach.class)).isEmpty();
    }
}
