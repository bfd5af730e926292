package io.millrace.streams.operator;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Takes the last element; fails with NoSuchElementException when there is none. */
public final class LastSink<I> extends SinkStage<I, I> {

    public LastSink() {
        super("last");
    }

    @Override
    Logic<I, I> createLogic() {
        return new Logic<>(this) {
            private @Nullable I last;

            @Override
            void accept(I element) {
                last = element;
            }

            @Override
            I resultAtEnd() {
                I found = last;
                if (found == null) {
                    throw new NoSuchElementException("the stream completed without an element");
                }
                return found;
            }
        };
    }
}
