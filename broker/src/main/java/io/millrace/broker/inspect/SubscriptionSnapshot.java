package io.millrace.broker.inspect;

/**
 * A subscription in use at one moment.
 *
 * @param topic its topic's full name
 * @param unacked messages that were sent to a consumer and are not acknowledged; of those that wait to be sent again, a batch counts
 *     as one
 */
public record SubscriptionSnapshot(String topic, String name, int consumers, long unacked) {}
