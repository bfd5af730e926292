package io.millrace.testkit;

import io.millrace.streams.Source;
import io.millrace.streams.stage.AsyncCallback;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a stream in the hands of a test: sends what it is told to, and checks demand and cancellation. To be
 * used by one thread; every expectation waits up to ten seconds.
 */
public final class TestSource<T> {
    private final ProbeEvents events;
    private final AsyncCallback<Object> commands;

    /** Elements and {@link End} go the same way, so that none overtakes the other. */
    TestSource(ProbeEvents events, AsyncCallback<Object> commands) {
        this.events = events;
        this.commands = commands;
    }

    /** How a source ends. */
    record End(@Nullable Throwable failure) {}

    /** A source that gives back its probe. */
    public static <T> Source<T, TestSource<T>> probe() {
        return Source.fromGraph(new TestSourceStage<>());
    }

    /** Sends an element; it waits in the probe until downstream asks. */
    public TestSource<T> send(T element) {
        commands.invoke(element);
        return this;
    }

    /** Completes the stream after what was sent. */
    public void complete() {
        commands.invoke(new End(null));
    }

    /** Fails the stream, without what was sent and not asked for. */
    public void fail(Throwable failure) {
        commands.invoke(new End(failure));
    }

    /** The next signal must be that downstream asks for an element. */
    public TestSource<T> expectPull() {
        events.expect(ProbeEvents.Pulled.class);
        return this;
    }

    /** The next signal must be the cancellation, whose cause is handed back. */
    public Throwable expectCancellation() {
        return events.expect(ProbeEvents.Cancelled.class).cause();
    }

    /** The next signal that is not demand must be the cancellation, whose cause is handed back. */
    public Throwable awaitCancellation() {
        while (true) {
            ProbeEvents.Event next = events.expect(ProbeEvents.Event.class);
            if (next instanceof ProbeEvents.Cancelled cancelled) {
                return cancelled.cause();
            }
        }
    }

    /** No signal may come for this long. */
    public TestSource<T> expectNothing(Duration within) {
        events.expectNothing(within);
        return this;
    }
}
