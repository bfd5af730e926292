package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.JoinPosition;
import org.jspecify.annotations.Nullable;

/**
 * How a broadcast hub ended, for consumers present and late: the ring is frozen then, so they read it without the hub. As before the end,
 * a consumer that comes when there is none goes on where the last one left.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code readers}, {@code place} and each consumer's {@code hasLeftAfterEnd}: guarded by this.
 */
public final class HubEnd {
    private final @Nullable Throwable failure;
    private final long tail;
    private final boolean keepsPlace;
    private int readers;
    private long place;

    /**
     * @param place where the first consumer starts that comes when there is none
     * @param readers how many consumers there are
     * @param keepsPlace whether what nobody took is kept at all
     */
    HubEnd(@Nullable Throwable failure, long tail, long place, int readers, boolean keepsPlace) {
        this.failure = failure;
        this.tail = tail;
        this.place = place;
        this.readers = readers;
        this.keepsPlace = keepsPlace;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    long tail() {
        return tail;
    }

    /** How many consumers there are. */
    synchronized int readers() {
        return readers;
    }

    /** Counts a late consumer in; where it starts. */
    synchronized long start(JoinPosition wanted, long oldest) {
        boolean isAlone = readers == 0;
        readers++;
        if (!wanted.isTail()) {
            return HubCore.replayed(wanted, oldest, tail);
        }
        long unread = place - oldest < 0 ? oldest : place;
        return isAlone && keepsPlace ? unread : tail;
    }

    /** Counts a consumer out that was counted in here or in the hub; only the first time. */
    synchronized void left(HubConsumer consumer, long at) {
        if (!consumer.hasLeftAfterEnd) {
            consumer.hasLeftAfterEnd = true;
            readers--;
            place = at;
        }
    }
}
