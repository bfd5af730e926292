package io.millrace.broker.topic;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What nobody uses, and since when; what has been idle for longest comes first. */
final class Idle<T> {
    private final long idleNanos;
    private final Map<T, Long> sinceNanos = new LinkedHashMap<>();

    /** They are due when they have been idle for this long. */
    Idle(Duration idleTime) {
        this.idleNanos = idleTime.toNanos();
    }

    void add(T one, long nowNanos) {
        sinceNanos.putIfAbsent(one, nowNanos);
    }

    boolean contains(T one) {
        return sinceNanos.containsKey(one);
    }

    void remove(T one) {
        sinceNanos.remove(one);
    }

    /** Takes out the eldest; null if there is none. */
    @Nullable
    T poll() {
        if (sinceNanos.isEmpty()) {
            return null;
        }
        T eldest = sinceNanos.keySet().iterator().next();
        sinceNanos.remove(eldest);
        return eldest;
    }

    /** Takes out the eldest of those that are idle by now: some may be so from a later time on. */
    @Nullable
    T pollSince(long nowNanos) {
        for (Map.Entry<T, Long> each : sinceNanos.entrySet()) {
            if (each.getValue() - nowNanos <= 0) {
                T eldest = each.getKey();
                sinceNanos.remove(eldest);
                return eldest;
            }
        }
        return null;
    }

    /** Takes out the eldest if it is due, else null. */
    @Nullable
    T pollDue(long nowNanos) {
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
