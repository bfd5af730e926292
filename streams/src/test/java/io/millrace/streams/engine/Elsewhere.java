package io.millrace.streams.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Where a pool's tasks run while functions keep all of its threads. */
final class Elsewhere {
    /** They wait. */
    static final Executor NOWHERE = task -> {
        throw new RejectedExecutionException("there are no other threads");
    };

    private Elsewhere() {}
}
