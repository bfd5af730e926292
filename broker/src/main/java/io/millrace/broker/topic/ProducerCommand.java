package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;

/** The messages to a producer's stage. */
sealed interface ProducerCommand permits PublishRequest, ProducerCommand.Refuse, ProducerCommand.Close {
    /** Everything published from now on fails with this. */
    record Refuse(BrokerException failure) implements ProducerCommand {}

    /** Nothing more will be published. */
    enum Close implements ProducerCommand {
        CLOSE
    }
}
