package io.millrace.broker.namespace;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The topics that match one pattern in one namespace, and all who watch them. Owned by the namespace stage.
 *
 * <pre>
 *   LISTING -> WATCHED   when the topics are listed; what happened meanwhile is applied then
 *   any     -> gone      when the last watcher has left, or there is no memory for it
 * </pre>
 */
final class WatchedList {
    private final TopicPattern pattern;
    private final MemoryBudget memory;
    private final Set<TopicWatcher> watchers = new LinkedHashSet<>();
    private final TreeSet<String> names = new TreeSet<>();
    /** What has changed since the watchers were told, or since it is listed: whether the name is there now. */
    private final Map<String, Boolean> changes = new LinkedHashMap<>();

    private boolean listing = true;

    WatchedList(TopicPattern pattern, MemoryBudget memory) {
        this.pattern = pattern;
        this.memory = memory;
    }

    void add(TopicWatcher watcher) {
        watchers.add(watcher);
    }

    void remove(TopicWatcher watcher) {
        watchers.remove(watcher);
    }

    /** Whether nobody is left. */
    boolean isDeserted() {
        return watchers.isEmpty();
    }

    /** The topics were listed. False if there is no memory for them. */
    boolean listed(List<String> found) {
        if (!memory.tryTake(MemoryBudget.Kind.CONSUMERS, pattern.bytes() + Weights.WATCHED_TOPIC * found.size())) {
            return false;
        }
        listing = false;
        names.addAll(found);
        Map<String, Boolean> meanwhile = new LinkedHashMap<>(changes);
        changes.clear();
        meanwhile.forEach(this::apply);
        changes.clear();
        return true;
    }

    TopicList current() {
        return TopicList.of(List.copyOf(names), true);
    }

    /** Whether the topic is there, or not; true if watchers are to be told. */
    boolean changed(String name, boolean isThere) {
        if (!pattern.matches(name)) {
            return false;
        }
        if (listing) {
            changes.put(name, isThere);
            return false;
        }
        apply(name, isThere);
        return !changes.isEmpty();
    }

    private void apply(String name, boolean isThere) {
        boolean isNews = isThere ? names.add(name) : names.remove(name);
        if (!isNews) {
            return;
        }
        memory.change(MemoryBudget.Kind.CONSUMERS, isThere ? Weights.WATCHED_TOPIC : -Weights.WATCHED_TOPIC);
        if (changes.remove(name) == null) {
            changes.put(name, isThere);
        }
    }

    /** Tells what has changed since the last time. */
    void tell() {
        if (listing || changes.isEmpty()) {
            return;
        }
        List<String> made = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        changes.forEach((name, isThere) -> (isThere ? made : deleted).add(name));
        changes.clear();
        String hash = TopicList.hash(names);
        watchers.forEach(watcher -> watcher.changed(made, deleted, hash));
    }

    /** Gives back the memory that it takes with its names. */
    void close() {
        memory.change(MemoryBudget.Kind.CONSUMERS, -pattern.bytes() - Weights.WATCHED_TOPIC * names.size());
        names.clear();
    }
}
