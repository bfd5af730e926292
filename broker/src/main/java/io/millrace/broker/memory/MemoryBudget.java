package io.millrace.broker.memory;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients may make the broker hold on the heap, in bytes: a part of the largest heap, of which each kind has a part at
 * most, so that one kind leaves room to others. What is taken is an estimate, by {@link Weights}. Topics that are stored
 * stand beside it: together they leave a fifth of the heap to everything else. Brokers of one process have an equal part each.
 *
 * <p><b>Threads</b>: any. <b>Owned</b>: nothing. <b>Shared</b>: {@code heldBytes}, {@code namedBytes} and what each
 * kind holds, atomic: what is
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

    /** A part of so many is to be free. */
    private static final int SPARE_PARTS = 8;

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
    private final IntSupplier brokers;
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicLong namedBytes = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final Map<Kind, Share> shares = new EnumMap<>(Kind.class);

    /** The budget of a broker that has a process to itself whose heap may grow to that size. */
    public MemoryBudget(long heapBytes) {
        this(heapBytes, () -> 1);
    }

    /**
     * The budget of one of the brokers of a process whose heap may grow to that size: an equal part for each.
     *
     * @param brokers how many there are now
     */
    MemoryBudget(long heapBytes, IntSupplier brokers) {
        this.heapBytes = heapBytes;
        this.brokers = brokers;
        for (Kind kind : Kind.values()) {
            shares.put(kind, new Share());
        }
    }

    /** The budget of this process: of the heap that it was given, by {@code -Xmx} or by its container's limit. */
    public static MemoryBudget ofThisProcess() {
        return ofThisProcess(() -> 1);
    }

    /**
     * The same for one of several brokers in it.
     *
     * @param brokers how many there are now
     */
    public static MemoryBudget ofThisProcess(IntSupplier brokers) {
        return new MemoryBudget(Runtime.getRuntime().maxMemory(), brokers);
    }

    /** Takes these bytes if both the whole and the kind have room for them; they are given back by {@link #change}. */
    public boolean tryTake(Kind kind, long bytes) {
        Share share = share(kind);
        if (share.heldBytes.addAndGet(bytes) > limitBytes(kind)) {
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

    /** Whether little room is left: what can be had again gives up its own. */
    public boolean isNearlyShort(Kind kind) {
        return freeBytes(kind) < limitBytes(kind) / SPARE_PARTS;
    }

    /** How much more may be held for that kind; less than nothing if it is too much already. */
    public long freeBytes(Kind kind) {
        return Math.min(limitBytes() - heldBytes.get(), limitBytes(kind) - heldBytes(kind));
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
        long wholeBytes = partOfHeap(HEAP_PERCENT);
        long unstoredBytes = partOfHeap(STORED_PERCENT) - keptBytes();
        return Math.min(wholeBytes, Math.max(wholeBytes / MIN_SHARE_DIVISOR, unstoredBytes));
    }

    /** Sets how many bytes the topics that nobody uses take now. */
    public void stored(long bytes) {
        storedBytes.set(bytes);
    }

    /** Takes so many bytes more, or fewer, for tenants, namespaces, what is said of these and of topics, and topics' schemas. */
    public void named(long bytes) {
        namedBytes.addAndGet(bytes);
    }

    private long keptBytes() {
        return storedBytes.get() + namedBytes.get();
    }

    /** Whether there is memory to store one more topic. */
    public boolean hasRoomForTopics() {
        return keptBytes() + heldBytes.get() < partOfHeap(STORED_PERCENT);
    }

    /** Why a new topic is refused, and what to do about it. */
    public String topicRefusal() {
        return "the broker has no memory for more topics: those that it stores take " + mebibytes(keptBytes())
                + " MiB and clients hold " + mebibytes(heldBytes()) + " MiB, of "
                + mebibytes(partOfHeap(STORED_PERCENT)) + " MiB for both, " + reason();
    }

    /** How much may be held for that kind. */
    public long limitBytes(Kind kind) {
        return partOfHeap(HEAP_PERCENT) / 100 * kind.percent;
    }

    /** Why something of that kind is refused, and what to do about it. */
    public String refusal(Kind kind) {
        return "the broker has no memory for more " + kind.text + ": clients hold " + mebibytes(heldBytes()) + " of "
                + mebibytes(limitBytes()) + " MiB, of that " + mebibytes(heldBytes(kind)) + " of at most "
                + mebibytes(limitBytes(kind)) + " MiB for " + kind.text + ", " + reason();
    }

    private long partOfHeap(int percent) {
        return heapBytes / 100 * percent / Math.max(1, brokers.getAsInt());
    }

    private String reason() {
        int count = brokers.getAsInt();
        return "as its heap has " + mebibytes(heapBytes) + " MiB" + (count > 1 ? " for " + count + " brokers" : "")
                + ". " + ADVICE;
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
        private final AtomicLong heldBytes = new AtomicLong();
        private final AtomicLong refusals = new AtomicLong();
        private final AtomicLong nextWarnNanos = new AtomicLong(System.nanoTime());

        boolean isTimeToWarn() {
            long now = System.nanoTime();
            long due = nextWarnNanos.get();
            return now - due >= 0 && nextWarnNanos.compareAndSet(due, now + WARN_NANOS);
        }
    }
}
