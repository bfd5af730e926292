package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import org.jspecify.annotations.Nullable;

/** One consumer gets everything, or what is in the hash ranges that it claims; a second is refused. */
final class ExclusiveDispatch implements Selector {
    private @Nullable Consumer only;
    /** What the consumer claims; null if it gets everything. */
    private @Nullable StickyRanges claimed;

    @Override
    public SubscriptionType type() {
        return SubscriptionType.EXCLUSIVE;
    }

    @Override
    public void admit(ConsumerOptions options) {
        if (only != null) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY, "Exclusive consumer is already connected: " + only.link.describe());
        }
    }

    @Override
    public void joined(Consumer consumer) {
        only = consumer;
        if (consumer.options.isFiltered()) {
            claimed = new StickyRanges();
            claimed.add(consumer);
        }
    }

    @Override
    public void left(Consumer consumer) {
        only = null;
        claimed = null;
    }

    @Override
    public boolean wants(int keyHash) {
        return claimed == null || claimed.ownerOf(keyHash) != null;
    }

    @Override
    public boolean anyReady() {
        return only != null && only.ready();
    }

    @Override
    public @Nullable Consumer pick(EntryHeader header) {
        return likely(header.stickyKeyHash(), header.isChunked());
    }

    @Override
    public @Nullable Consumer likely(int keyHash, boolean chunk) {
        return anyReady() ? only : null;
    }

    @Override
    public @Nullable Consumer missedBy(EntryHeader header) {
        return only;
    }

    @Override
    public void sent(EntryHeader header, Consumer consumer) {
        // The one consumer stays active.
    }

    @Override
    public long wantedMessages() {
        return only == null ? 0 : only.permits();
    }
}
