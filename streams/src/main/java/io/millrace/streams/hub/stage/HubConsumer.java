package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.LagPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of a broadcast hub, as the hub knows it: its links in the wheel and what it announces.
 *
 * <p><b>Threads:</b> the consumer's island announces; the hub's island places, moves, evicts and wakes; a consumer that is due to be
 * woken belongs to {@link HubWaking} until it was.
 *
 * <p><b>Owned:</b> by the hub: place, links, {@code state}, {@code isNew}, {@code waitingRow}, what is timed; {@code nextWaiting} and
 * {@code previousWaiting} by whoever has the list of which it is a part.
 *
 * <p><b>Shared:</b> {@code isWaiting}, set by the hub and cleared by who wakes, after the links, so that the hub that reads it cleared may use the
 * links. {@code start}, read by the consumer once it sees {@code joins} change. {@code announcement}, position and flags in one long, or a race strands a waiting consumer: written
 * volatile by the consumer, after {@code leaveNumber} where it leaves, which then tries to set {@code queued}; the hub clears {@code queued} and then reads, so
 * either the hub sees the news or the consumer queues itself again. {@code live}, consumer by release after each
 * element, hub by acquire. {@code eviction}, hub volatile before it overwrites an element that the consumer has not
 * read, consumer after it has read a slot.
 *
 * <p><b>States:</b> NEW -> WHEEL or FREE when the hub lets it join; WHEEL -> PARTED when a drop-newest consumer lags,
 * PARTED -> WHEEL when it has read its copy; any -> GONE when it leaves or is disconnected; all by the hub.
 *
 * <p><b>Proved by:</b> BroadcastHubStressTest.
 */
final class HubConsumer extends HubArrival<HubConsumer> {
    static final int WAITING = 1;
    static final int LEFT = 2;
    static final int NEVER_STARTED = 4;

    /** For so long at most the hub waits for the first turn of a consumer, whose first elements may take any time. */
    private static final long FIRST_TURN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int FLAG_BITS = 3;
    private static final int FLAGS = (1 << FLAG_BITS) - 1;
    private static final VarHandle LIVE;
    private static final VarHandle QUEUED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LIVE = lookup.findVarHandle(HubConsumer.class, "live", long.class);
            QUEUED = lookup.findVarHandle(HubConsumer.class, "queued", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where the hub keeps a consumer. */
    enum State {
        NEW,
        WHEEL,
        FREE,
        PARTED,
        GONE
    }

    /** Why a consumer may not read the ring any more: it was disconnected, or it has a copy of what it had not read. */
    static final class Eviction {
        private final int joins;
        private final long from;
        private final @Nullable Object @Nullable [] kept;

        Eviction(int joins, long from, @Nullable Object @Nullable [] kept) {
            this.joins = joins;
            this.from = from;
            this.kept = kept;
        }

        /** Which stay of the consumer in the wheel it ended; those before do not concern the consumer any more. */
        int joins() {
            return joins;
        }

        boolean isDisconnected() {
            return kept == null;
        }

        /** The position after the last element of the copy. */
        long end() {
            return kept == null ? from : from + kept.length;
        }

        /** Takes what the copy holds for a position; the consumer only, once. */
        Object take(long position) {
            int index = (int) (position - from);
            Object element = kept == null ? null : kept[index];
            if (kept == null || element == null) {
                throw new IllegalStateException("nothing was kept for position " + position);
            }
            kept[index] = null;
            return element;
        }
    }

    final BroadcastConsumerSettings settings;
    private final long patienceNanos;
    final Runnable wake;

    State state = State.NEW;
    long position;
    int slot = -1;

    /** Whether the hub waits until it has announced how far its first turn has brought it. */
    boolean isNew;

    /** Where its patience was last measured: it is measured anew at each position at which it holds the hub back. */
    long timedAt;

    long timedSinceNanos;

    volatile boolean isWaiting;
    long start;

    /** Which of the leaves this one's is, written before it is announced. */
    long leaveNumber;

    /** Whether {@link HubEnd} has counted it out; guarded by that. */
    boolean hasLeftAfterEnd;

    /** Counts the joins, written after {@code start}: a consumer that sees a new count goes on there. */
    volatile int joins;

    /** How far the hub was when {@link HubWaking} woke this as an arrival; by hub and monitor, and if they disagree, it is woken once more. */
    long wokenAtTail = Long.MIN_VALUE;

    @Nullable
    HubConsumer previous;

    @Nullable
    HubConsumer next;

    @Nullable
    HubConsumer nextWaiting;

    @Nullable
    HubConsumer previousWaiting;

    /** In which of the hub's rows of waiting consumers it was last; the hub has handed over all but the latest. */
    int waitingRow;

    volatile @Nullable Eviction eviction;

    private volatile long announcement;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private volatile boolean queued;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private long live;

    HubConsumer(BroadcastConsumerSettings settings, Runnable wake) {
        this.settings = settings;
        this.patienceNanos = settings.patienceNanos();
        this.wake = wake;
    }

    /** Whether the hub waits for it, for ever or for a time. */
    boolean paces() {
        return patienceNanos() > 0;
    }

    /** Whether it gets out of the way, at once or after a time; only then does it tell where it is at each element. */
    boolean givesWay() {
        return settings.lagPolicy() != LagPolicy.BACKPRESSURE;
    }

    boolean isPatient() {
        return givesWay() && paces();
    }

    /** How much of its patience is left; measured from now on if it was not yet at this position, or in this first turn. */
    long patienceLeftNanos(long nowNanos) {
        if (!isTimed()) {
            timedAt = position;
            timedSinceNanos = nowNanos;
        }
        return patienceNanos() - (nowNanos - timedSinceNanos);
    }

    /** Whether its patience has been measured at this position, and is used up; that of one without patience always is. */
    boolean hasHadItsPatience(long nowNanos) {
        long patience = patienceNanos();
        return patience == 0 || (isTimed() && nowNanos - timedSinceNanos >= patience);
    }

    private boolean isTimed() {
        return timedAt == position || (isNew && timedAt - start >= 0);
    }

    /** Whether it gives way at once, or nearly so, but is to see first what there is for it when it joins. */
    boolean hasFirstTurn() {
        return patienceNanos < FIRST_TURN_NANOS && settings.lagPolicy() != LagPolicy.DROP_OLDEST;
    }

    /** How long it may hold the hub back; {@code Long.MAX_VALUE} for ever. */
    long patienceNanos() {
        return isNew ? FIRST_TURN_NANOS : patienceNanos;
    }

    /**
     * How the stay in the wheel ended that began with so many joins, or a later one, of which the consumer may not have been told when something else
     * wakes it; null while it lasts.
     */
    @Nullable
    Eviction evictionSince(int joined) {
        Eviction latest = eviction;
        return latest != null && latest.joins() - joined >= 0 ? latest : null;
    }

    /** Whether the hub has put it out. */
    boolean isDisconnected() {
        Eviction latest = eviction;
        return latest != null && latest.isDisconnected();
    }

    /** Says where the consumer is; true when it must be queued for the hub, the consumer's island only. */
    boolean announce(long at, int flags) {
        announcement = (at << FLAG_BITS) | flags;
        return QUEUED.compareAndSet(this, false, true);
    }

    /** Takes the announcement, so that a later one queues the consumer again; the hub only. */
    long takeAnnouncement() {
        queued = false;
        return announcement;
    }

    /** The announcement of one that is not to be queued again, as the hub has ended; if it leaves after this, it sees that. */
    long lastAnnouncement() {
        return announcement;
    }

    static boolean has(long announcement, int flag) {
        return (announcement & flag) != 0;
    }

    /** The announced position; the tail gives the high bits, which did not fit. */
    static long position(long announcement, long tail) {
        return tail - (((tail << FLAG_BITS) - (announcement & ~(long) FLAGS)) >> FLAG_BITS);
    }

    /** Tells the consumer where to go on, in time before its wake-up; the hub only. */
    void joinAt(long at) {
        setLiveRelease(at);
        start = at;
        int following = joins + 1;
        joins = following;
    }

    void setLiveRelease(long at) {
        LIVE.setRelease(this, at);
    }

    long liveAcquire() {
        return (long) LIVE.getAcquire(this);
    }
}
