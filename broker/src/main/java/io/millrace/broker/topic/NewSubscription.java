package io.millrace.broker.topic;

import java.util.Map;

/**
 * How a subscription begins that there is not yet; one that there is stays as it is.
 *
 * @param start where it begins
 * @param properties what users say of it, kept with it
 */
public record NewSubscription(StartAt start, Map<String, String> properties) {
    /** The most properties that clients may give a subscription. */
    public static final int MAX_PROPERTIES = 1_000;

    /** The most characters in the keys and values of them together. */
    public static final int MAX_PROPERTY_CHARS = 64 << 10;

    public NewSubscription {
        properties = Map.copyOf(properties);
    }

    /** One without properties. */
    public static NewSubscription at(StartAt start) {
        return new NewSubscription(start, Map.of());
    }
}
