package io.millrace.benchmarks.jmh;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Param;

/** The parameters of a JMH class, as its fields declare them. */
final class Parameters {
    private Parameters() {}

    /** Every combination of their values, by name, in the order of the fields; one that is empty if there are none. */
    static List<Map<String, String>> combinations(Class<?> type) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Field field : type.getDeclaredFields()) {
            Param declared = field.getAnnotation(Param.class);
            if (declared != null) {
                combinations = extended(combinations, field.getName(), declared.value());
            }
        }
        return combinations;
    }

    private static List<Map<String, String>> extended(
            List<Map<String, String>> combinations, String name, String[] values) {
        List<Map<String, String>> extended = new ArrayList<>();
        for (Map<String, String> known : combinations) {
            for (String value : values) {
                Map<String, String> longer = new LinkedHashMap<>(known);
                longer.put(name, value);
                extended.add(longer);
            }
        }
        return extended;
    }
}
