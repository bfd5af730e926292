package io.millrace.streams.stage;

/** What a stage does with a message that comes from outside; called in the stage's island. */
@FunctionalInterface
public interface StageConsumer<T> {
    void accept(T message) throws Exception;
}
