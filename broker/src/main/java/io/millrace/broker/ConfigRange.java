package io.millrace.broker;

/** Checks configured numbers, in the words of the configuration file. */
final class ConfigRange {
    private ConfigRange() {}

    static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + " is " + value + ", but must be a number from " + min + " to " + max);
        }
    }
}
