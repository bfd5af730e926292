package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Meter;

/** What one producer, or all of a topic, have published that the topic took. Owned by the topic's append stage. */
final class PublishCounts {
    private static final int COUNTERS = 2;

    private final Meter meter = new Meter(COUNTERS, System.nanoTime());
    private long messages;
    private long bytes;

    void add(int messageCount, int byteCount) {
        messages += messageCount;
        bytes += byteCount;
    }

    TopicFigures.Published look() {
        double[] rates = meter.look(System.nanoTime(), messages, bytes);
        return new TopicFigures.Published(messages, bytes, rates[0], rates[1]);
    }
}
