package io.millrace.broker.namespace;

import java.util.Map;
import java.util.Set;

/**
 * What becomes of the policies of a topic or of a namespace.
 *
 * @param removed the keys of those that are removed
 * @param set those that are set then, by key
 */
public record PolicyChange(Set<String> removed, Map<String, String> set) {
    public PolicyChange {
        removed = Set.copyOf(removed);
        set = Map.copyOf(set);
    }
}
