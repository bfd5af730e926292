package io.millrace.streams.engine.pool;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Where stand-ins of a pool run. */
final class Elsewhere {
    /** Nowhere: their tasks wait. */
    static final Executor NOWHERE = task -> {
        throw new RejectedExecutionException("there are no other threads");
    };

    private Elsewhere() {}
}
