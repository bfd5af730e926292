package io.millrace.streams.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** What makes a definite result of elements whose order or grouping is open. */
final class Lists {
    private static final Comparator<Object> BY_TEXT = Comparator.comparing(Texts::literal);

    private Lists() {}

    /** A list and one more. */
    static Object add(Object list, Object element) {
        List<Object> longer = new ArrayList<>((List<?>) list);
        longer.add(element);
        return Collections.unmodifiableList(longer);
    }

    /** Two lists as one. */
    static Object addAll(Object list, Object other) {
        List<Object> longer = new ArrayList<>((List<?>) list);
        longer.addAll((List<?>) other);
        return Collections.unmodifiableList(longer);
    }

    /** The elements in the order of their texts. */
    static Object sorted(Object list) {
        List<Object> sorted = new ArrayList<>((List<?>) list);
        sorted.sort(BY_TEXT);
        return sorted;
    }

    /** Lists of a mark and an element each: the elements of each mark, in their order. */
    static Object byMark(Object marked) {
        TreeMap<String, List<Object>> byMark = new TreeMap<>();
        for (Object each : (List<?>) marked) {
            List<?> pair = (List<?>) each;
            byMark.computeIfAbsent(String.valueOf(pair.get(0)), mark -> new ArrayList<>())
                    .add(pair.get(1));
        }
        return new ArrayList<>(byMark.values());
    }
}
