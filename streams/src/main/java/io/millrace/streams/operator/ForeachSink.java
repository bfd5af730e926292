package io.millrace.streams.operator;

import io.millrace.streams.Done;
import io.millrace.streams.ThrowingConsumer;
import java.util.Objects;

/** Does something with every element. */
public final class ForeachSink<I> extends SinkStage<I, Done> {
    private final ThrowingConsumer<? super I> action;

    public ForeachSink(ThrowingConsumer<? super I> action) {
        super("foreach");
        this.action = Objects.requireNonNull(action, "action");
    }

    @Override
    Logic<I, Done> createLogic() {
        return new Logic<>(this) {
            @Override
            void accept(I element) throws Exception {
                action.accept(element);
            }

            @Override
            Done resultAtEnd() {
                return Done.DONE;
            }
        };
    }
}
