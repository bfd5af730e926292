package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.testkit.StreamLeakCheck;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A runtime for each test, which must have no stream left when the test is over. */
public abstract class OperatorTest {
    protected final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void nothingMayBeLeft() {
        nothingRuns();
        runtime.close();
    }

    /** Waits until all streams have ended. */
    protected final void nothingRuns() {
        StreamLeakCheck.assertNoStreams(runtime);
    }

    protected final <T> List<T> all(Source<T, ?> source) throws InterruptedException {
        return await(source.runWith(Sink.seq(), runtime));
    }

    protected final Throwable failureOf(Source<?, ?> source) throws InterruptedException {
        return awaitFailure(source.runWith(Sink.ignore(), runtime));
    }
}
