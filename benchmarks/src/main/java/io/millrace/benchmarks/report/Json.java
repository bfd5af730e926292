package io.millrace.benchmarks.report;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes maps, collections, strings, numbers and booleans as JSON; anything else as its string. */
final class Json {
    private Json() {}

    static String write(@Nullable Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            return finite(value);
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quote(String.valueOf(entry.getKey())) + ": " + write(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(Json::write).collect(Collectors.joining(",\n ", "[", "]"));
        }
        return quote(value.toString());
    }

    private static String finite(@Nullable Object value) {
        boolean number = !(value instanceof Double d) || Double.isFinite(d);
        return number ? String.valueOf(value) : "null";
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
