package io.millrace.testkit;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingPredicate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A script of what a source must do, step by step; the last step makes it a {@link Verification}, which runs the source. A
 * step that fails says which one it is and what was seen so far. To be used by one thread.
 */
public final class StreamVerifier<T> {
    private static final long WITHOUT_LIMIT = Long.MAX_VALUE;

    private final Supplier<? extends Graph<SourceShape<T>, ?>> source;
    private final boolean virtualTime;
    private final long requested;
    private final List<VerifierRun.Step<T>> steps = new ArrayList<>();

    private StreamVerifier(Supplier<? extends Graph<SourceShape<T>, ?>> source, boolean virtualTime, long requested) {
        this.source = Objects.requireNonNull(source, "source");
        this.virtualTime = virtualTime;
        this.requested = requested;
    }

    /** Runs the source in a runtime of its own, and asks for all elements. */
    public static <T> StreamVerifier<T> create(Graph<SourceShape<T>, ?> source) {
        Objects.requireNonNull(source, "source");
        return new StreamVerifier<>(() -> source, false, WITHOUT_LIMIT);
    }

    /** Runs the source in a runtime of its own, and asks for so many elements at first, 0 or more. */
    public static <T> StreamVerifier<T> create(Graph<SourceShape<T>, ?> source, long requested) {
        Objects.requireNonNull(source, "source");
        if (requested < 0) {
            throw new IllegalArgumentException("requested must be 0 or more, not " + requested);
        }
        return new StreamVerifier<>(() -> source, false, requested);
    }

    /**
     * Makes the source and runs it on the verifying thread, in a runtime whose timers follow a clock that only the steps
     * move; asks for all elements, again at each time at which something is due. Functions before an asynchronous boundary must not block: what
     * they gave before reaches the part behind it on another thread then.
     */
    public static <T> StreamVerifier<T> withVirtualTime(Supplier<? extends Graph<SourceShape<T>, ?>> source) {
        return new StreamVerifier<>(source, true, WITHOUT_LIMIT);
    }

    /** What is verified when it is told to; can be verified any number of times. */
    public final class Verification {
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        private final List<VerifierRun.Step<T>> script;

        private Verification(List<VerifierRun.Step<T>> script) {
            this.script = script;
        }

        /** Runs the source and takes the steps; each signal must come within ten seconds. */
        public void verify() {
            verify(PATIENCE);
        }

        /** Runs the source and takes the steps; each signal must come within this time. */
        public void verify(Duration patience) {
            new VerifierRun<T>(virtualTime, requested, patience).run(source, script);
        }
    }

    /** The next signals must be these elements in this order. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final StreamVerifier<T> expectNext(T... elements) {
        List<T> expected = List.of(elements);
        return step("expectNext" + expected, run -> {
            for (T element : expected) {
                T actual = run.element("element " + element);
                if (!element.equals(actual)) {
                    throw new AssertionError("expected element " + element + ", but saw element " + actual);
                }
            }
        });
    }

    /** The next signals must be so many elements. */
    public StreamVerifier<T> expectNextCount(long count) {
        return step("expectNextCount[" + count + "]", run -> {
            for (long i = 1; i <= count; i++) {
                run.element("element " + i + " of " + count);
            }
        });
    }

    /** The next signal must be an element for which the condition holds. */
    public StreamVerifier<T> expectNextMatches(ThrowingPredicate<? super T> condition) {
        Objects.requireNonNull(condition, "condition");
        return step("expectNextMatches", run -> {
            T actual = run.element("an element");
            if (!condition.test(actual)) {
                throw new AssertionError("the condition does not hold for element " + actual);
            }
        });
    }

    /** The next signal must be an element, which the consumer may check. */
    public StreamVerifier<T> consumeNext(ThrowingConsumer<? super T> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return step("consumeNext", run -> consumer.accept(run.element("an element")));
    }

    /** No signal may come for this long. */
    public StreamVerifier<T> expectNothing(Duration within) {
        return step("expectNothing[" + within + "]", run -> run.expectNothing(within));
    }

    /** Asks for so many more elements, at least 1. */
    public StreamVerifier<T> thenRequest(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a request must be for at least 1 element, not " + count);
        }
        return step("thenRequest[" + count + "]", run -> run.request(count));
    }

    /** Lets this much time pass; signals that come meanwhile are there for the next steps. */
    public StreamVerifier<T> thenAwait(Duration time) {
        return step("thenAwait[" + time + "]", run -> run.pass(time));
    }

    /** Does something else, such as sending to a source that a test holds. */
    public StreamVerifier<T> then(Runnable action) {
        Objects.requireNonNull(action, "action");
        return step("then", run -> action.run());
    }

    /** The next signal must be the completion. */
    public Verification expectComplete() {
        return last("expectComplete", VerifierRun::completion);
    }

    /** The next signal must be a failure. */
    public Verification expectFailure() {
        return last("expectFailure", VerifierRun::failure);
    }

    /** The next signal must be a failure of this class. */
    public Verification expectFailure(Class<? extends Throwable> type) {
        return last("expectFailure[" + type.getSimpleName() + "]", run -> {
            Throwable failure = run.failure();
            if (!type.isInstance(failure)) {
                throw new AssertionError("expected a failure of " + type + ", but saw " + failure, failure);
            }
        });
    }

    /** The next signal must be a failure, which the consumer may check. */
    public Verification consumeFailure(ThrowingConsumer<? super Throwable> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return last("consumeFailure", run -> consumer.accept(run.failure()));
    }

    /** Cancels the source, whatever else it would send. */
    public Verification thenCancel() {
        return last("thenCancel", VerifierRun::cancel);
    }

    private StreamVerifier<T> step(String name, ThrowingConsumer<VerifierRun<T>> action) {
        steps.add(new VerifierRun.Step<>(name, action));
        return this;
    }

    private Verification last(String name, ThrowingConsumer<VerifierRun<T>> action) {
        List<VerifierRun.Step<T>> script = new ArrayList<>(steps);
        script.add(new VerifierRun.Step<>(name, action));
        return new Verification(script);
    }
}
