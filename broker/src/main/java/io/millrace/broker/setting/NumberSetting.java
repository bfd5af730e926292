package io.millrace.broker.setting;

import java.util.Locale;

/** A setting that is a whole number within a range, in the unit that its key ends with. */
public record NumberSetting(String key, long defaultValue, long min, long max, String meaning) implements Setting {
    private static final long FIRST_GROUPED = 10_000;

    /**
     * The value, if it is in range.
     *
     * @throws IllegalArgumentException naming key, value and range, if it is not
     */
    public long require(long value) {
        if (value < min || value > max) {
            throw refusal(Long.toString(value));
        }
        return value;
    }

    /** The exception for a value that is none of these; names key, value and range. */
    public IllegalArgumentException refusal(String value) {
        return new IllegalArgumentException(
                key + " is " + value + ", but must be a whole number from " + min + " to " + max);
    }

    @Override
    public String defaultText() {
        return grouped(defaultValue);
    }

    @Override
    public String range() {
        return grouped(min) + " to " + grouped(max);
    }

    private static String grouped(long number) {
        return number < FIRST_GROUPED
                ? Long.toString(number)
                : String.format(Locale.ROOT, "%,d", number).replace(',', '_');
    }
}
