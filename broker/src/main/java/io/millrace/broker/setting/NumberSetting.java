package io.millrace.broker.setting;

import java.util.Locale;

/** A setting that is a whole number within a range, in the unit that its key ends with. */
public record NumberSetting(String key, long defaultValue, long least, long most, String meaning) implements Setting {
    private static final long FIRST_GROUPED = 10_000;

    /**
     * The value, if it is in range.
     *
     * @throws IllegalArgumentException naming key, value and range, if it is not
     */
    public long require(long value) {
        if (value < least || value > most) {
            throw refusal(Long.toString(value));
        }
        return value;
    }

    /** The exception for a value that is none of these; names key, value and range. */
    public IllegalArgumentException refusal(String value) {
        return new IllegalArgumentException(
                key + " is " + value + ", but must be a whole number from " + least + " to " + most);
    }

    @Override
    public String defaultText() {
        return grouped(defaultValue);
    }

    @Override
    public String range() {
        return grouped(least) + " to " + grouped(most);
    }

    private static String grouped(long number) {
        return number < FIRST_GROUPED
                ? Long.toString(number)
                : String.format(Locale.ROOT, "%,d", number).replace(',', '_');
    }
}
