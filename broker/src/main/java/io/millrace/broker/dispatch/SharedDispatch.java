package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Round robin among the ready consumers of the highest priority level that has any. */
final class SharedDispatch implements Selector {
    /** Level 0 is served first. */
    private final Map<Integer, Level> levels = new TreeMap<>();

    private @Nullable Level candidate;

    @Override
    public SubscriptionType type() {
        return SubscriptionType.SHARED;
    }

    @Override
    public void admit(ConsumerOptions options) {
        // Any number may share.
    }

    @Override
    public void joined(Consumer consumer) {
        levels.computeIfAbsent(consumer.options.priority(), priority -> new Level())
                .consumers
                .add(consumer);
    }

    @Override
    public void left(Consumer consumer) {
        Level level = Objects.requireNonNull(levels.get(consumer.options.priority()));
        level.remove(consumer);
        if (level.consumers.isEmpty()) {
            levels.remove(consumer.options.priority());
        }
    }

    @Override
    public boolean isActive(Consumer consumer) {
        return true;
    }

    @Override
    public boolean anyReady() {
        for (Level level : levels.values()) {
            if (level.findReady()) {
                candidate = level;
                return true;
            }
        }
        return false;
    }

    @Override
    public Consumer take(EntryHeader header) {
        return Objects.requireNonNull(candidate).take();
    }

    @Override
    public long wantedMessages() {
        long wanted = 0;
        for (Level level : levels.values()) {
            for (Consumer consumer : level.consumers) {
                wanted += consumer.ready() ? consumer.permits() : 0;
            }
        }
        return wanted;
    }

    /** The consumers of one priority and whose turn it is. */
    private static final class Level {
        final List<Consumer> consumers = new ArrayList<>();
        private int next;

        boolean findReady() {
            for (int tried = 0; tried < consumers.size(); tried++) {
                if (next >= consumers.size()) {
                    next = 0;
                }
                if (consumers.get(next).ready()) {
                    return true;
                }
                next++;
            }
            return false;
        }

        Consumer take() {
            return consumers.get(next++);
        }

        void remove(Consumer consumer) {
            int index = consumers.indexOf(consumer);
            consumers.remove(index);
            if (index < next) {
                next--;
            }
        }
    }
}
