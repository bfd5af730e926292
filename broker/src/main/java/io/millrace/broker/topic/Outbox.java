package io.millrace.broker.topic;

/** A producer's link as the append stage uses it, which flushes it once per run of answers. Owned by that stage. */
final class Outbox {
    final ProducerLink link;
    final PublishCounts counts;
    boolean unflushed;

    Outbox(ProducerLink link, PublishCounts counts) {
        this.link = link;
        this.counts = counts;
    }
}
