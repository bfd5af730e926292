package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How elements become one of their kind, one by one, beginning with the first. */
record Reducing<T>(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
    Reducing {
        Objects.requireNonNull(function, "function");
    }

    Object begin() {
        return new Last<T>();
    }

    @SuppressWarnings("unchecked")
    void add(T element, @Nullable Object[] states, int at) throws Exception {
        Last<T> last = (Last<T>) Step.state(states, at);
        T before = last.value;
        last.value = before == null ? element : Step.required(function.apply(before, element), "reduce");
    }

    @SuppressWarnings("unchecked")
    Object result(@Nullable Object state) {
        Object found = ((Last<Object>) Objects.requireNonNull(state, "state")).value;
        if (found == null) {
            throw new NoSuchElementException("the stream completed without an element");
        }
        return found;
    }

    private static final class Last<T> {
        private @Nullable T value;
    }
}
