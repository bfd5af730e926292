package io.millrace.broker.dispatch;

import org.jspecify.annotations.Nullable;

/** One attached consumer: its permits, and whether its unacknowledged messages block it. */
final class Consumer {
    final ConsumerLink link;
    final ConsumerOptions options;
    /** Its dense number in {@link PendingAcks}. */
    final int slot;
    /** Whether {@link Consumers} remembers to flush its link. */
    boolean unflushed;
    /** Whether it knows that there is nothing more to come. */
    boolean knowsEnd;
    /** How many entries of a topic that stores nothing it did not take when they came. */
    long dropped;

    /** Messages that it was sent, again or for the first time, and their bytes. */
    long messagesOut;

    long bytesOut;
    /** Those of the messages that were sent again, and those that it held and acknowledged. */
    long messagesAgain;

    long messagesAcked;

    final Activity activity = new Activity();

    private final PendingAcks pending;
    private final long sinceNanos;
    private @Nullable Meter meter;
    private int maxUnacked;
    private long permits;
    private boolean blocked;

    Consumer(ConsumerLink link, ConsumerOptions options, int slot, PendingAcks pending, long sinceNanos) {
        this.link = link;
        this.options = options;
        this.slot = slot;
        this.pending = pending;
        this.sinceNanos = sinceNanos;
    }

    /** What goes to it a second; the meter is made when somebody asks. */
    Rates rates(long nowNanos) {
        if (meter == null) {
            meter = new Meter(Rates.COUNTERS, sinceNanos);
        }
        return Rates.of(meter.look(nowNanos, messagesOut, bytesOut, messagesAgain, messagesAcked, 0));
    }

    /** Another limit on its unacknowledged messages; 0 for none. */
    void limit(int messages) {
        maxUnacked = messages;
        blocked = maxUnacked > 0 && (blocked || pending.unacked(slot) >= maxUnacked);
    }

    void flow(int messages) {
        permits += messages;
    }

    /** Charges permits for an entry that pending acks already hold. */
    void charge(int messages) {
        permits -= messages;
        messagesOut += messages;
        blocked |= maxUnacked > 0 && pending.unacked(slot) >= maxUnacked;
    }

    long permits() {
        return permits;
    }

    /** It gave some entries back: as with Pulsar, it goes on if it is below its limit, also above half of it. */
    void gaveSomeBack() {
        blocked = maxUnacked > 0 && pending.unacked(slot) >= maxUnacked;
    }

    /** Whether it holds too many unacknowledged messages: true from the limit until acknowledgements leave half of it. */
    boolean blocked() {
        if (blocked && pending.unacked(slot) <= maxUnacked / 2) {
            blocked = false;
        }
        return blocked;
    }

    /** Whether it takes an entry now. */
    boolean ready() {
        return permits > 0 && !blocked() && link.isWritable();
    }
}
