package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;

/**
 * A session's end of an attached producer. Used by one thread at a time, that of its session; until {@link #close} is
 * called the topic keeps a place for it.
 */
public final class ProducerHandle {
    private final Producer producer;
    private final TopicMailbox topic;
    private final Runnable writable;
    private boolean closed;

    /**
     * @param writable throws unless the topic takes entries
     */
    ProducerHandle(Producer producer, TopicMailbox topic, Runnable writable) {
        this.producer = producer;
        this.topic = topic;
        this.writable = writable;
    }

    /**
     * Throws unless the topic takes entries at this moment.
     *
     * @throws BrokerException that says why it does not
     */
    public void requireWritable() {
        writable.run();
    }

    /** The name it asked for or was given. */
    public String name() {
        return producer.name();
    }

    /** The topic's epoch, which counts its exclusive producers; {@link ProducerOptions#NO_TOPIC_EPOCH} if it had none. */
    public long topicEpoch() {
        return producer.topicEpoch();
    }

    /** The sequence id of the last entry stored under this name; -1 if not known. */
    public long lastSequenceId() {
        return -1;
    }

    /**
     * Stores an entry. The topic takes over its data; the producer's link is told the outcome.
     *
     * @throws IllegalStateException after {@link #close}; the data is released
     */
    public void publish(PublishRequest request) {
        if (closed) {
            request.data().release();
            throw new IllegalStateException("producer " + name() + " is closed: nothing can be published any more");
        }
        producer.stage().tell(request);
    }

    /**
     * Frees the name at once. What was published before is still answered, and stored unless it waits for a rate or the
     * producer was exclusive. Closing twice does nothing.
     */
    public void close() {
        if (!closed) {
            closed = true;
            topic.tell(new TopicCommand.ProducerGone(producer));
            producer.stage().tell(ProducerCommand.Close.CLOSE);
        }
    }
}
