package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;

/** Operators between two probes, on the test's own thread and on a clock moved by hand; no timer may outlive them. */
public abstract class VirtualTimeTest {
    private static final Executor SAME_THREAD = Runnable::run;

    protected final VirtualTimeScheduler time = new VirtualTimeScheduler();
    protected final List<StreamException> reported = new ArrayList<>();
    protected final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(SAME_THREAD).withFailureReporter(reported::add), time);

    @AfterEach
    void closeAndLookForTimers() {
        runtime.close();
        assertThat(time.waiting()).isZero();
    }

    /** Both ends of a flow. */
    protected record Ends<I, O>(TestSource<I> source, TestSink<O> sink) {
        /** Nothing has come out since. */
        public void expectNothing() {
            sink.expectNothing(Duration.ZERO);
        }

        /** Sends elements, which are taken if the operator asks for them. */
        @SafeVarargs
        public final void send(I... elements) {
            for (I element : elements) {
                source.send(element);
            }
        }
    }

    protected final <O> Ends<Integer, O> run(Flow<Integer, O, ?> flow) {
        Pair<TestSource<Integer>, TestSink<O>> ends = TestSource.<Integer>probe()
                .via(flow)
                .toMat(TestSink.<O>probe(), Keep.both())
                .run(runtime);
        return new Ends<>(ends.first(), ends.second());
    }

    /** The same with endless demand. */
    protected final <O> Ends<Integer, O> runAsked(Flow<Integer, O, ?> flow) {
        Ends<Integer, O> ends = run(flow);
        ends.sink().request(1_000_000);
        return ends;
    }

    protected final void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    protected static Flow<Integer, Integer, ?> numbers() {
        return Flow.<Integer>create();
    }
}
