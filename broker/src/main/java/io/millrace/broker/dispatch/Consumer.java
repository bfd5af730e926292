package io.millrace.broker.dispatch;

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

    private final PendingAcks pending;
    private int maxUnacked;
    private long permits;
    private boolean blocked;

    Consumer(ConsumerLink link, ConsumerOptions options, int slot, PendingAcks pending, int maxUnacked) {
        this.link = link;
        this.options = options;
        this.slot = slot;
        this.pending = pending;
        this.maxUnacked = maxUnacked;
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

    /** Whether it holds too many unacknowledged messages: true from the limit until they fall to half of it. */
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
