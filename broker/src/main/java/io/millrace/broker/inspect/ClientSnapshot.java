package io.millrace.broker.inspect;

import java.util.List;

/**
 * A connection of a client at one moment. Topics have their full names.
 *
 * @param address where the client is, for people to read
 * @param version what the client says that it is; empty before it has said so
 * @param lastTopic the topic for which it last asked to open a producer or a consumer; empty if it never did
 */
public record ClientSnapshot(
        String address, String version, String lastTopic, List<OpenProducer> producers, List<OpenConsumer> consumers) {
    /** A producer that the client has not closed. */
    public record OpenProducer(String topic, String name) {}

    /** A consumer or a reader that the client has not closed; the description names it, its subscription and its topic. */
    public record OpenConsumer(String topic, String subscription, String description) {}

    public ClientSnapshot {
        producers = List.copyOf(producers);
        consumers = List.copyOf(consumers);
    }
}
