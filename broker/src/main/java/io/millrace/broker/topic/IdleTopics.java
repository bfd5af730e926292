package io.millrace.broker.topic;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open topics that nobody uses, and since when; the one that has been idle for longest comes first. */
final class IdleTopics {
    private final long idleNanos;
    private final Map<TopicName, Long> sinceNanos = new LinkedHashMap<>();

    /** Topics are due when they have been idle for this long. */
    IdleTopics(Duration idleTime) {
        this.idleNanos = idleTime.toNanos();
    }

    void add(TopicName name, long nowNanos) {
        sinceNanos.putIfAbsent(name, nowNanos);
    }

    boolean contains(TopicName name) {
        return sinceNanos.containsKey(name);
    }

    void remove(TopicName name) {
        sinceNanos.remove(name);
    }

    /** Takes out the eldest; null if there is none. */
    @Nullable
    TopicName poll() {
        if (sinceNanos.isEmpty()) {
            return null;
        }
        TopicName eldest = sinceNanos.keySet().iterator().next();
        sinceNanos.remove(eldest);
        return eldest;
    }

    /** Takes out the eldest if it is due, else null. */
    @Nullable
    TopicName pollDue(long nowNanos) {
        Duration left = untilDue(nowNanos);
        return left != null && left.isZero() ? poll() : null;
    }

    /** How long until the eldest is due, zero if it is; null if there is none. */
    @Nullable
    Duration untilDue(long nowNanos) {
        if (sinceNanos.isEmpty()) {
            return null;
        }
        long since = sinceNanos.values().iterator().next();
        return Duration.ofNanos(Math.max(0, since + idleNanos - nowNanos));
    }
}
