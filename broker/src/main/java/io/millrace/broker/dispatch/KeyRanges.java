package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which consumer owns which key hashes. */
sealed interface KeyRanges permits HashRing, StickyRanges {
    /** The number of key hashes; they start at zero. */
    int HASHES = 1 << 16;

    /** Throws CONSUMER_ASSIGN if a consumer with these options has no place. */
    void admit(ConsumerOptions options);

    /** The one owner of what a consumer with these options claims; null if nobody owns any of it, or several do. */
    @Nullable
    Consumer rival(ConsumerOptions options);

    void add(Consumer consumer);

    void remove(Consumer consumer);

    /** The ranges of each consumer, in their order. */
    Map<Consumer, List<HashRange>> byConsumer();

    /** The owner of the hash; null if it has none. */
    @Nullable
    Consumer ownerOf(int keyHash);
}
