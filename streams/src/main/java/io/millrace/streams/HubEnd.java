package io.millrace.streams;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How a broadcast hub ended, for consumers present and late: the ring is frozen then, so they read it without the hub.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code isClaimed}: the first late consumer sets it and gets the elements that
 * nobody took.
 */
final class HubEnd {
    private final @Nullable Throwable failure;
    private final long tail;
    private final long firstNotTaken;
    private final AtomicBoolean isClaimed = new AtomicBoolean();

    HubEnd(@Nullable Throwable failure, long tail, long firstNotTaken) {
        this.failure = failure;
        this.tail = tail;
        this.firstNotTaken = firstNotTaken;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    long tail() {
        return tail;
    }

    /** Where a late consumer starts. */
    long start(JoinPosition wanted, long oldest) {
        if (!wanted.isTail()) {
            return HubCore.replayed(wanted, oldest, tail);
        }
        return isClaimed.compareAndSet(false, true) ? firstNotTaken : tail;
    }
}
