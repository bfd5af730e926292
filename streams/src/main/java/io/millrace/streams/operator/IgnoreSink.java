package io.millrace.streams.operator;

import io.millrace.streams.Done;

/** Drops every element. */
public final class IgnoreSink<I> extends SinkStage<I, Done> {

    public IgnoreSink() {
        super("ignore");
    }

    @Override
    Logic<I, Done> createLogic() {
        return new Logic<>(this) {
            @Override
            void accept(I element) {
                // Elements are taken so that upstream goes on.
            }

            @Override
            Done resultAtEnd() {
                return Done.DONE;
            }
        };
    }
}
