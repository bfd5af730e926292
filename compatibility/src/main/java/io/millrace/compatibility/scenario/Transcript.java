package io.millrace.compatibility.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a scenario told: lines of a key and a value. A key that comes again gets the number of times behind it. */
public final class Transcript {
    private final Map<String, String> lines = new LinkedHashMap<>();

    /** Adds a line; line ends in it are written as {@code \n}. A key without words is an IllegalArgumentException. */
    public void add(String key, String value) {
        if (key.isBlank()) {
            throw new IllegalArgumentException("a line's key has words; its value is " + value);
        }
        String oneLine = key.strip().replace(": ", ":_").replace("\n", "\\n");
        String unique = oneLine;
        for (int i = 2; lines.containsKey(unique); i++) {
            unique = oneLine + "#" + i;
        }
        lines.put(unique, value.stripTrailing().replace("\r", "\\r").replace("\n", "\\n"));
    }

    /** The lines in the order in which they were told. */
    public Map<String, String> lines() {
        return Collections.unmodifiableMap(lines);
    }
}
