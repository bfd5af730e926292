package io.millrace.streams.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/** Elements as Java writes them. */
final class Texts {
    private Texts() {}

    static String list(List<Object> elements) {
        return elements.stream().map(Texts::literal).collect(Collectors.joining(", ", "List.<Object>of(", ")"));
    }

    /** One that tells what is equal from what is not. */
    static String literal(Object x) {
        if (x instanceof List<?> list) {
            return list.stream().map(Texts::literal).collect(Collectors.joining(", ", "List.of(", ")"));
        }
        if (x instanceof Long n) {
            return n == Long.MIN_VALUE ? "Long.MIN_VALUE" : n + "L";
        }
        if (x instanceof Double d) {
            return d.isNaN() ? "Double.NaN" : d.toString();
        }
        if (x instanceof Short || x instanceof Byte) {
            return "(" + (x instanceof Short ? "short" : "byte") + ") " + x;
        }
        return x instanceof Float f
                ? f + "f"
                : x instanceof String ? "\"" + x + "\"" : x instanceof Character ? "'" + x + "'" : x.toString();
    }
}
