package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Each key hash has one owner at a time. A hash that gets a new owner <em>drains</em> first: none of its entries is
 * sent until the previous owner holds none of them, so that a key's entries are never with two consumers. All consumers
 * use the same split, sticky or automatic, and the same rule on order; the first consumer chooses both.
 */
final class KeySharedDispatch implements Selector {
    /** Each may have a hundred ranges and more: of many consumers, they are not told. */
    private static final int MAX_TOLD_CONSUMERS = 100;

    private final PendingAcks pending;
    private final List<Consumer> consumers = new ArrayList<>();
    private final ChunkOwners chunks = new ChunkOwners(SubscriptionType.KEY_SHARED);
    private KeySharedOptions mode = KeySharedOptions.autoSplit(false);
    private KeyRanges ranges = new HashRing();

    /** {@code pending} counts hashes. */
    KeySharedDispatch(PendingAcks pending) {
        this.pending = pending;
    }

    @Override
    public SubscriptionType type() {
        return SubscriptionType.KEY_SHARED;
    }

    @Override
    public void admit(ConsumerOptions options) {
        KeySharedOptions asked = optionsOf(options);
        if (consumers.isEmpty()) {
            mode = asked;
            ranges = asked.sticky() ? new StickyRanges() : new HashRing();
        } else if (!mode.goesWith(asked)) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "Key_Shared consumer " + options.name() + " asks for " + text(asked) + ", but those connected have "
                            + text(mode));
        } else {
            ranges.admit(options);
        }
    }

    @Override
    public @Nullable Consumer rival(ConsumerOptions options) {
        return ranges.rival(options);
    }

    @Override
    public void joined(Consumer consumer) {
        consumers.add(consumer);
        ranges.add(consumer);
    }

    @Override
    public void left(Consumer consumer) {
        consumers.remove(consumer);
        ranges.remove(consumer);
        chunks.left(consumer);
    }

    @Override
    public Map<Consumer, List<KeySharedOptions.HashRange>> ranges() {
        return consumers.size() <= MAX_TOLD_CONSUMERS ? ranges.byConsumer() : Map.of();
    }

    @Override
    public boolean anyReady() {
        for (int i = 0; i < consumers.size(); i++) {
            if (consumers.get(i).ready()) {
                return true;
            }
        }
        return false;
    }

    /** The consumer that got a message's first chunk gets the others, even while the hash drains: it waits for them. */
    @Override
    public @Nullable Consumer pick(EntryHeader header) {
        return owner(header.stickyKeyHash(), header.isChunked() ? chunks.ownerOf(header) : null);
    }

    @Override
    public @Nullable Consumer likely(int keyHash, boolean chunk) {
        return owner(keyHash, chunk ? chunks.anyOwnerOf(keyHash) : null);
    }

    private @Nullable Consumer owner(int keyHash, @Nullable Consumer ofChunks) {
        Consumer owner = ofChunks == null ? ranges.ownerOf(keyHash) : ofChunks;
        boolean mustWait = owner == null || !owner.ready() || (ofChunks == null && draining(keyHash, owner) > 0);
        return mustWait ? null : owner;
    }

    @Override
    public @Nullable Consumer missedBy(EntryHeader header) {
        Consumer ofChunks = header.isChunked() ? chunks.ownerOf(header) : null;
        return ofChunks == null ? ranges.ownerOf(header.stickyKeyHash()) : ofChunks;
    }

    @Override
    public void sent(EntryHeader header, Consumer consumer) {
        if (header.isChunked()) {
            chunks.sent(header, consumer);
        }
    }

    @Override
    public long wantedMessages() {
        long wanted = 0;
        for (Consumer consumer : consumers) {
            wanted += consumer.ready() ? consumer.permits() : 0;
        }
        return wanted;
    }

    /** How many pending entries of that hash keep it from its owner. */
    private int draining(int keyHash, Consumer owner) {
        return mode.allowOutOfOrder() ? 0 : pending.heldByOthers(keyHash, owner.slot);
    }

    /** The same, and 0 if it has no owner; for checks. */
    int draining(int keyHash) {
        Consumer owner = ranges.ownerOf(keyHash);
        return owner == null ? 0 : draining(keyHash, owner);
    }

    /** Whether an entry of that hash keeps it from its owner while the consumer of that slot holds it; for checks. */
    boolean isForeign(int keyHash, int slot) {
        Consumer owner = ranges.ownerOf(keyHash);
        return !mode.allowOutOfOrder() && owner != null && owner.slot != slot;
    }

    private static KeySharedOptions optionsOf(ConsumerOptions options) {
        KeySharedOptions given = options.keyShared();
        return given == null ? KeySharedOptions.autoSplit(false) : given;
    }

    private static String text(KeySharedOptions options) {
        return (options.sticky() ? "sticky ranges" : "auto-split")
                + (options.allowOutOfOrder() ? " out of order" : " in order");
    }
}
