package io.millrace.broker.setting;

/** A setting that is a word, an empty one where the file may leave it open. */
public record TextSetting(String key, String defaultText, String range, String meaning) implements Setting {
    /** The exception for a value that is none of these; names key, value and range. */
    public IllegalArgumentException refusal(String value) {
        return new IllegalArgumentException(key + " is '" + value + "', but must be " + range);
    }
}
