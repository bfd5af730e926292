package io.millrace.streams.graph;

/** How a stream has ended, as told to who cleans up after it. */
public sealed interface Outcome {
    /** All elements were sent. */
    record Completed() implements Outcome {}

    /** It has failed. */
    record Failed(Throwable failure) implements Outcome {}

    /** Downstream has had enough, or the stream was ended by force; the cause says which. */
    record Cancelled(Throwable cause) implements Outcome {}
}
