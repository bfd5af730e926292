package io.millrace.streams.operator;

import java.util.NoSuchElementException;

/** Takes the first element and cancels; fails with NoSuchElementException when there is none. */
public final class HeadSink<I> extends SinkStage<I, I> {

    public HeadSink() {
        super("head");
    }

    @Override
    Logic<I, I> createLogic() {
        return new Logic<>(this) {
            @Override
            void accept(I element) {
                result.complete(element);
                completeStage();
            }

            @Override
            I resultAtEnd() {
                throw new NoSuchElementException("the stream completed without an element");
            }
        };
    }
}
