package io.millrace.broker.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Values of settings by key, as a configuration file gives them; what it does not give has its default. Remembers which
 * settings it was asked for. Used by one thread.
 */
public final class SettingValues {
    private final Map<String, String> given;
    private final List<Setting> asked = new ArrayList<>();

    private SettingValues(Map<String, String> given) {
        this.given = given;
    }

    /** Nothing is given: every setting has its default. */
    public static SettingValues none() {
        return of(Map.of());
    }

    /** The values by key. */
    public static SettingValues of(Map<String, String> given) {
        return new SettingValues(given);
    }

    /** The value of a number; an IllegalArgumentException that names key, value and range, if it is not in range. */
    public long number(NumberSetting setting) {
        return number(setting, setting.defaultValue());
    }

    /** The same of a setting whose default follows from another one. */
    public long number(NumberSetting setting, long defaultValue) {
        return number(given(setting), setting, defaultValue);
    }

    /** The same of a setting that has this default on this machine. */
    public long number(MachineSetting setting, long machineDefault) {
        return number(given(setting), setting.number(), machineDefault);
    }

    private static long number(String value, NumberSetting setting, long defaultValue) {
        if (value.isEmpty()) {
            return defaultValue;
        }
        try {
            return setting.require(Long.parseLong(value.replace("_", "")));
        } catch (NumberFormatException e) {
            IllegalArgumentException refusal = setting.refusal("'" + value + "'");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** The same of a setting whose range is one of ints. */
    public int integer(NumberSetting setting) {
        return Math.toIntExact(number(setting));
    }

    /** The value of a text; empty if neither the file nor the default says anything. */
    public String text(TextSetting setting) {
        String value = given(setting);
        return value.isEmpty() ? setting.defaultText() : value;
    }

    /** What it was asked for, in that order. */
    public List<Setting> asked() {
        return List.copyOf(asked);
    }

    /** Refuses, once every setting was asked for, a key that is none: an IllegalArgumentException that names those there are. */
    public void refuseUnknownKeys() {
        List<String> known = asked.stream().map(Setting::key).sorted().toList();
        for (String key : new TreeSet<>(given.keySet())) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        "unknown key '" + key + "'; the known keys are " + String.join(", ", known));
            }
        }
    }

    private String given(Setting setting) {
        asked.add(setting);
        return given.getOrDefault(setting.key(), "").strip();
    }
}
