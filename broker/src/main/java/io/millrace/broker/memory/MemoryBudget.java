package io.millrace.broker.memory;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients may make the broker hold on the heap, in bytes: a part of the largest heap, of which each kind has a part at
 * most, so that one kind leaves room to others. What is taken is an estimate, by {@link Weights}. Topics that are stored
 * stand beside it: together they leave a fifth of the heap to everything else.
 *
 * <p><b>Threads</b>: any. <b>Owned</b>: nothing. <b>Shared</b>: {@code heldBytes} and what each kind holds, atomic: what is
 * taken is added first and given back at once if it was too much, so what was granted never exceeds a limit; the times and
 * counts of warnings, atomic; the map of shares, which never changes. <b>Proved by</b>: MemoryBudgetTest.
 */
public final class MemoryBudget {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    private static final String ADVICE =
            "Close or delete what is not needed, or start the broker with a larger heap (-Xmx, or more"
                    + " memory for its container)";
    private static final int HEAP_PERCENT = 45;
    private static final int STORED_PERCENT = 80;
    /** Clients keep at least the whole divided by this, however much the stored topics take. */
    private static final int MIN_SHARE_DIVISOR = 4;

    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** What memory is held for. */
    public enum Kind {
        CONNECTIONS("connections", 75),
        PRODUCERS("producers", 75),
        CONSUMERS("consumers", 75),
        SUBSCRIPTIONS("subscriptions", 75),
        /** Delivered, delayed or partly acknowledged ones, and those that wait to be sent again. */
        ENTRIES("entries of subscriptions", 50);

        private final String text;
        private final int percent;

        Kind(String text, int percent) {
            this.text = text;
            this.percent = percent;
        }
    }

    private final long heapBytes;
    private final long wholeBytes;
    private final long storedLimitBytes;
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final Map<Kind, Share> shares = new EnumMap<>(Kind.class);

    /** The budget of a process whose heap may grow to that size. */
    public MemoryBudget(long heapBytes) {
        this.heapBytes = heapBytes;
        wholeBytes = heapBytes / 100 * HEAP_PERCENT;
        storedLimitBytes = heapBytes / 100 * STORED_PERCENT;
        for (Kind kind : Kind.values()) {
            shares.put(kind, new Share(wholeBytes / 100 * kind.percent));
        }
    }

    /** The budget of this process: of the heap that it was given, by {@code -Xmx} or by its container's limit. */
    public static MemoryBudget ofThisProcess() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory());
    }

    /** Takes these bytes if both the whole and the kind have room for them; they are given back by {@link #change}. */
    public boolean tryTake(Kind kind, long bytes) {
        Share share = share(kind);
        if (share.heldBytes.addAndGet(bytes) > share.limitBytes) {
            share.heldBytes.addAndGet(-bytes);
            return false;
        }
        if (heldBytes.addAndGet(bytes) > limitBytes()) {
            change(kind, -bytes);
            return false;
        }
        return true;
    }

    /** Gives bytes back if negative. Otherwise takes bytes that can no longer be refused, even without room. */
    public void change(Kind kind, long bytes) {
        share(kind).heldBytes.addAndGet(bytes);
        heldBytes.addAndGet(bytes);
    }

    /** Whether the whole or the kind has no room left. */
    public boolean isShort(Kind kind) {
        return freeBytes(kind) <= 0;
    }

    /** How much more may be held for that kind; less than nothing if it is too much already. */
    public long freeBytes(Kind kind) {
        Share share = share(kind);
        return Math.min(limitBytes() - heldBytes.get(), share.limitBytes - share.heldBytes.get());
    }

    /** What is held for all kinds. */
    public long heldBytes() {
        return heldBytes.get();
    }

    /** What is held for that kind. */
    public long heldBytes(Kind kind) {
        return share(kind).heldBytes.get();
    }

    /** How much may be held in all: the less, the more is stored. */
    public long limitBytes() {
        return Math.min(wholeBytes, Math.max(wholeBytes / MIN_SHARE_DIVISOR, storedLimitBytes - storedBytes.get()));
    }

    /** Sets how many bytes the topics that nobody uses take now. */
    public void stored(long bytes) {
        storedBytes.set(bytes);
    }

    /** Whether there is memory to store one more topic. */
    public boolean hasRoomForTopics() {
        return storedBytes.get() + heldBytes.get() < storedLimitBytes;
    }

    /** Why a new topic is refused, and what to do about it. */
    public String topicRefusal() {
        return "the broker has no memory for more topics: those that it stores take " + mebibytes(storedBytes.get())
                + " MiB and clients hold " + mebibytes(heldBytes()) + " MiB, of " + mebibytes(storedLimitBytes)
                + " MiB for both, as its heap has " + mebibytes(heapBytes) + " MiB. " + ADVICE;
    }

    /** How much may be held for that kind. */
    public long limitBytes(Kind kind) {
        return share(kind).limitBytes;
    }

    /** Why something of that kind is refused, and what to do about it. */
    public String refusal(Kind kind) {
        return "the broker has no memory for more " + kind.text + ": clients hold " + mebibytes(heldBytes()) + " of "
                + mebibytes(limitBytes()) + " MiB, of that " + mebibytes(heldBytes(kind)) + " of at most "
                + mebibytes(limitBytes(kind)) + " MiB for " + kind.text + ", as its heap has " + mebibytes(heapBytes)
                + " MiB. " + ADVICE;
    }

    /** Counts a refusal, and logs it if that kind had no line within the last minute. */
    public void warn(Kind kind) {
        Share share = share(kind);
        share.refusals.incrementAndGet();
        if (share.isTimeToWarn()) {
            LOG.warn("{} ({} times since the last such line)", refusal(kind), share.refusals.getAndSet(0));
        }
    }

    private Share share(Kind kind) {
        return Objects.requireNonNull(shares.get(kind), "share");
    }

    private static String mebibytes(long bytes) {
        long tenths = (bytes * 10) >> 20;
        return tenths / 10 + "." + tenths % 10;
    }

    /** What one kind holds, and what was said about it. */
    private static final class Share {
        private final long limitBytes;
        private final AtomicLong heldBytes = new AtomicLong();
        private final AtomicLong refusals = new AtomicLong();
        private final AtomicLong nextWarnNanos = new AtomicLong(System.nanoTime());

        Share(long limitBytes) {
            this.limitBytes = limitBytes;
        }

        boolean isTimeToWarn() {
            long now = System.nanoTime();
            long due = nextWarnNanos.get();
            return now - due >= 0 && nextWarnNanos.compareAndSet(due, now + WARN_NANOS);
        }
    }
}
