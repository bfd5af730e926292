package io.millrace.broker.topic;

import io.millrace.streams.stage.StageActorRef;

/**
 * An attached producer, as its topic keeps it. Compared by identity: a successor with the same name is another
 * producer.
 */
final class Producer {
    private final String name;
    private final ProducerOptions options;
    private final ProducerLink link;
    private final Running running;
    private final long topicEpoch;

    Producer(String name, ProducerOptions options, ProducerLink link, Running running, long topicEpoch) {
        this.name = name;
        this.options = options;
        this.link = link;
        this.running = running;
        this.topicEpoch = topicEpoch;
    }

    String name() {
        return name;
    }

    ProducerOptions options() {
        return options;
    }

    ProducerLink link() {
        return link;
    }

    long topicEpoch() {
        return topicEpoch;
    }

    StageActorRef<ProducerCommand> stage() {
        return running.stage();
    }

    /** Of the append stage's; read by that alone. */
    PublishCounts counts() {
        return running.outbox().counts;
    }

    /** The append stage's. */
    Outbox outbox() {
        return running.outbox();
    }

    /** Its stage, and where its answers come from. */
    record Running(StageActorRef<ProducerCommand> stage, Outbox outbox) {}
}
