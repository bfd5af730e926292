package io.millrace.broker.topic;

/** A producer's link as the append stage uses it, which flushes it once per run of answers. Owned by that stage. */
final class Outbox {
    final ProducerLink link;
    boolean unflushed;

    Outbox(ProducerLink link) {
        this.link = link;
    }
}
