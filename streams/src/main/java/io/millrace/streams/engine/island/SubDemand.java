package io.millrace.streams.engine.island;

import org.jspecify.annotations.Nullable;

/** What the owner of a sub-sink tells the stream: one more element, or a cancellation with its cause. */
record SubDemand(@Nullable Throwable cancellation) {
    static final SubDemand PULL = new SubDemand(null);
}
