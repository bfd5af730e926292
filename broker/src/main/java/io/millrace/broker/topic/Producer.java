package io.millrace.broker.topic;

import io.millrace.streams.stage.StageActorRef;

/** An attached producer in its topic's books. Its identity counts: a successor of the same name is another one. */
final class Producer {
    private final String name;
    private final ProducerOptions options;
    private final ProducerLink link;
    private final StageActorRef<ProducerCommand> stage;

    Producer(String name, ProducerOptions options, ProducerLink link, StageActorRef<ProducerCommand> stage) {
        this.name = name;
        this.options = options;
        this.link = link;
        this.stage = stage;
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

    StageActorRef<ProducerCommand> stage() {
        return stage;
    }
}
