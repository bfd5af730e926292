package io.millrace.broker.setting;

/**
 * A number whose default the machine decides: a part of the memory that the process may take, up to the number's own
 * default. The example file leaves it open, as any value there would be taken on every machine.
 */
public record MachineSetting(NumberSetting number) implements Setting {
    /** The setting of that number. */
    public MachineSetting(String key, long greatestDefault, long min, long max, String meaning) {
        this(new NumberSetting(key, greatestDefault, min, max, meaning));
    }

    /** The same as {@link NumberSetting#require}. */
    public long require(long value) {
        return number.require(value);
    }

    @Override
    public String key() {
        return number.key();
    }

    @Override
    public String defaultText() {
        return "";
    }

    @Override
    public String range() {
        return number.range() + ", or nothing";
    }

    @Override
    public String meaning() {
        return number.meaning();
    }
}
