package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.log.Position;

/** A producer's session to which nothing matters that it is told. */
public final class UnheardProducer implements ProducerLink {
    @Override
    public void receipt(long sequenceId, long highestSequenceId, Position position) {}

    @Override
    public void failed(long sequenceId, BrokerException failure) {}

    @Override
    public void dropped(long sequenceId, BrokerException failure) {}

    @Override
    public void flush() {}

    @Override
    public void closed(CloseReason reason) {}
}
