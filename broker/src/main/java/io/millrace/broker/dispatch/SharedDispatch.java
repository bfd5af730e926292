package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Round robin among the ready consumers of the highest priority level that has any; the chunks of one message go to one
 * consumer.
 */
final class SharedDispatch implements Selector {
    /** By priority; level 0 is served first. */
    private final List<Level> levels = new ArrayList<>();

    private final ChunkOwners chunks = new ChunkOwners(SubscriptionType.SHARED);

    @Override
    public SubscriptionType type() {
        return SubscriptionType.SHARED;
    }

    @Override
    public void admit(ConsumerOptions options) {
        // Any number of consumers may share.
    }

    @Override
    public void joined(Consumer consumer) {
        int priority = consumer.options.priority();
        int index = 0;
        while (index < levels.size() && levels.get(index).priority < priority) {
            index++;
        }
        if (index == levels.size() || levels.get(index).priority != priority) {
            levels.add(index, new Level(priority));
        }
        levels.get(index).consumers.add(consumer);
    }

    @Override
    public void left(Consumer consumer) {
        chunks.left(consumer);
        for (Level level : levels) {
            level.remove(consumer);
        }
        levels.removeIf(level -> level.consumers.isEmpty());
    }

    @Override
    public boolean anyReady() {
        return firstReady() != null;
    }

    @Override
    public @Nullable Consumer pick(EntryHeader header) {
        Consumer owner = header.isChunked() ? chunks.ownerOf(header) : null;
        if (owner != null) {
            return owner.ready() ? owner : null;
        }
        return next();
    }

    @Override
    public @Nullable Consumer likely(int keyHash, boolean chunk) {
        Consumer owner = chunk ? chunks.anyOwnerOf(keyHash) : null;
        if (owner != null) {
            return owner.ready() ? owner : null;
        }
        return next();
    }

    private @Nullable Consumer next() {
        Level level = firstReady();
        return level == null ? null : level.candidate();
    }

    @Override
    public void sent(EntryHeader header, Consumer consumer) {
        if (header.isChunked()) {
            chunks.sent(header, consumer);
        }
        Level level = firstReady();
        if (level != null && level.candidate() == consumer) {
            level.advance();
        }
    }

    @Override
    public @Nullable Consumer missedBy(EntryHeader header) {
        Consumer owner = header.isChunked() ? chunks.ownerOf(header) : null;
        return owner != null || levels.isEmpty() ? owner : levels.get(0).passTurn();
    }

    @Override
    public long wantedMessages() {
        long wanted = 0;
        for (Level level : levels) {
            for (Consumer consumer : level.consumers) {
                wanted += consumer.ready() ? consumer.permits() : 0;
            }
        }
        return wanted;
    }

    private @Nullable Level firstReady() {
        for (int i = 0; i < levels.size(); i++) {
            if (levels.get(i).findReady()) {
                return levels.get(i);
            }
        }
        return null;
    }

    /** The consumers of one priority, and the one whose turn it is. */
    private static final class Level {
        final int priority;
        final List<Consumer> consumers = new ArrayList<>();
        private int next;

        Level(int priority) {
            this.priority = priority;
        }

        /** Makes the next ready consumer the candidate. */
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

        Consumer candidate() {
            return consumers.get(next);
        }

        void advance() {
            next++;
        }

        /** The one whose turn it is, ready or not; then it is that of the one behind it. */
        Consumer passTurn() {
            next = next < consumers.size() ? next : 0;
            return consumers.get(next++);
        }

        void remove(Consumer consumer) {
            int index = consumers.indexOf(consumer);
            if (index >= 0) {
                consumers.remove(index);
                if (index < next) {
                    next--;
                }
            }
        }
    }
}
