package io.millrace.broker.dispatch;

/**
 * How much may pass in a time.
 *
 * @param messages at most so many; 0 for any number
 * @param bytes at most so many; 0 for any number
 * @param seconds that time, at least 1
 */
public record Rate(long messages, long bytes, int seconds) {
    /** Everything may pass. */
    public static final Rate NONE = new Rate(0, 0, 1);

    public Rate {
        if (messages < 0 || bytes < 0 || seconds < 1) {
            throw new IllegalArgumentException("a rate of " + messages + " messages and " + bytes + " bytes in "
                    + seconds + " s: neither may be negative, and the time is at least 1 s");
        }
    }

    /** Whether it is no limit. */
    public boolean isNone() {
        return messages == 0 && bytes == 0;
    }
}
