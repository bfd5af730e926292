package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Says for one run what goes on after each failure. */
public interface Succession<T> {
    /** A source, and how long to wait before it is run. */
    record Successor<T>(Duration delay, Graph<SourceShape<T>, ?> source) {}

    /** What goes on after this failure; nothing if the failure is to go through. */
    Optional<Successor<T>> after(Throwable failure) throws Exception;

    /** What the function makes of so many failures, at once. */
    static <T> Succession<T> ofFunction(
            int attempts,
            ThrowingFunction<? super Throwable, ? extends Graph<? extends SourceShape<? extends T>, ?>> function) {
        return new Succession<>() {
            private int left = attempts;

            @Override
            public Optional<Successor<T>> after(Throwable failure) throws Exception {
                if (left == 0) {
                    return Optional.empty();
                }
                left--;
                @SuppressWarnings("unchecked") // elements only come out of it
                Graph<SourceShape<T>, ?> next =
                        (Graph<SourceShape<T>, ?>) Step.required(function.apply(failure), "recoverWith");
                return Optional.of(new Successor<>(Duration.ZERO, next));
            }
        };
    }

    /** The same source again, as the settings say. */
    static <T> Succession<T> ofRetries(RetrySettings settings, Graph<SourceShape<T>, ?> source) {
        Objects.requireNonNull(source, "source");
        RandomGenerator random = settings.backoff().newRandom();
        return new Succession<>() {
            private int retries;

            @Override
            public Optional<Successor<T>> after(Throwable failure) {
                if (retries == settings.maxRetries() || !settings.retryOn().test(failure)) {
                    return Optional.empty();
                }
                Duration delay = settings.backoff().after(retries, random);
                retries++;
                return Optional.of(new Successor<>(delay, source));
            }
        };
    }
}
