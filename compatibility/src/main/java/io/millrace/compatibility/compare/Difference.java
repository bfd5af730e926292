package io.millrace.compatibility.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A line that two brokers told differently.
 *
 * @param pulsar what Pulsar told; {@link #ABSENT} if its transcript has no such line
 * @param millrace what Millrace told; the same
 */
public record Difference(String scenario, String key, String pulsar, String millrace) {
    /** The value of a line that is not there. */
    public static final String ABSENT = "(absent)";

    /** All lines in which the transcripts differ, by scenario and key, in the order of Pulsar's. */
    public static List<Difference> between(
            Map<String, Map<String, String>> pulsar, Map<String, Map<String, String>> millrace) {
        List<Difference> differences = new ArrayList<>();
        for (String scenario : union(pulsar.keySet(), millrace.keySet())) {
            Map<String, String> theirs = pulsar.getOrDefault(scenario, Map.of());
            Map<String, String> ours = millrace.getOrDefault(scenario, Map.of());
            for (String key : union(theirs.keySet(), ours.keySet())) {
                String their = theirs.getOrDefault(key, ABSENT);
                String our = ours.getOrDefault(key, ABSENT);
                if (!their.equals(our)) {
                    differences.add(new Difference(scenario, key, their, our));
                }
            }
        }
        return differences;
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new LinkedHashSet<>(some);
        all.addAll(others);
        return all;
    }

    @Override
    public String toString() {
        return scenario + "\n    " + key + "\n        Pulsar:   " + pulsar + "\n        Millrace: " + millrace;
    }
}
