package io.millrace.testkit;

import io.millrace.streams.Sink;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.stage.AsyncCallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a stream in the hands of a test: asks for elements when told to, and checks the exact sequence of signals.
 * To be used by one thread; every expectation waits up to ten seconds.
 */
public final class TestSink<T> {
    private final ProbeEvents events;
    private final AsyncCallback<Long> requests;
    private final AsyncCallback<Throwable> cancellations;

    TestSink(ProbeEvents events, AsyncCallback<Long> requests, AsyncCallback<Throwable> cancellations) {
        this.events = events;
        this.requests = requests;
        this.cancellations = cancellations;
    }

    /** A sink that gives back its probe. */
    public static <T> Sink<T, TestSink<T>> probe() {
        return Sink.fromGraph(new TestSinkStage<>());
    }

    /** What it has seen and nobody has taken. */
    ProbeEvents events() {
        return events;
    }

    /** Asks for so many more elements, at least one; in all for {@code Long.MAX_VALUE} at most. */
    public TestSink<T> request(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, not " + count);
        }
        requests.invoke(count);
        return this;
    }

    /** The next signal must be an element, which is handed back. */
    @SuppressWarnings("unchecked")
    public T expectNext() {
        return (T) events.expect(ProbeEvents.Element.class).value();
    }

    /** The next signals must be these elements in this order. */
    @SafeVarargs
    public final TestSink<T> expectNext(T... elements) {
        for (T expected : elements) {
            T actual = expectNext();
            if (!expected.equals(actual)) {
                throw new AssertionError("expected element " + expected + ", but saw " + actual);
            }
        }
        return this;
    }

    /** The next signals must be so many elements, which are handed back. */
    public List<T> expectNextN(int count) {
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(expectNext());
        }
        return elements;
    }

    /** The next signal must be the completion. */
    public void expectComplete() {
        events.expect(ProbeEvents.Completed.class);
    }

    /** The next signal must be a failure, which is handed back. */
    public Throwable expectError() {
        return events.expect(ProbeEvents.Failed.class).failure();
    }

    /** No signal may come for this long. */
    public TestSink<T> expectNothing(Duration within) {
        events.expectNothing(within);
        return this;
    }

    /** Cancels the stream. */
    public void cancel() {
        cancel(new DownstreamFinished());
    }

    /** Cancels the stream with this cause. */
    public void cancel(Throwable cause) {
        cancellations.invoke(cause);
    }
}
