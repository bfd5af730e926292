package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import org.jspecify.annotations.Nullable;

/** A producer's link as the append stage uses it, which flushes it once per run of answers. Owned by that stage. */
final class Outbox {
    final ProducerLink link;
    final PublishCounts counts;
    boolean unflushed;
    /** Why nothing more of it is stored, whenever that was published; null while it is. */
    @Nullable
    BrokerException fence;

    Outbox(ProducerLink link, PublishCounts counts) {
        this.link = link;
        this.counts = counts;
    }
}
