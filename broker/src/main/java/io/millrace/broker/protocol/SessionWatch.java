package io.millrace.broker.protocol;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.TopicWatcher;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandWatchTopicUpdate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A client of a connection that watches topics.
 *
 * <p><b>Threads</b>: the namespaces' stage calls {@link #changed}; the connection's event loop all others. <br><b>Owned</b>:
 * everything by the loop. <br><b>Shared</b>: nothing; a change crosses over through the loop's task queue. <br><b>States</b>:
 * OPENING -> OPEN when its list was answered; any -> ENDED by the client, or with the connection. <br><b>Proved by</b>:
 * TopicListSessionTest.
 */
final class SessionWatch implements TopicWatcher {
    private enum State {
        OPENING,
        OPEN,
        ENDED
    }

    private static final int MAX_UPDATE_NAMES = 1_000;
    /** Changes that wait for a client that takes no output: beyond that it is cut off, and lists them when it is back. */
    private static final int MAX_UNSENT_NAMES = 10_000;

    private final Connection connection;
    private final long watcherId;
    private final NamespaceName namespace;
    private final String pattern;
    /** What the client has not been told: whether the topic is there now. */
    private final Map<String, Boolean> unsent = new LinkedHashMap<>();

    private State state = State.OPENING;
    private String hash = "";
    private long unsentBytes;
    private long countedBytes;
    private long heldBytes;

    SessionWatch(Connection connection, long watcherId, NamespaceName namespace, String pattern) {
        this.connection = connection;
        this.watcherId = watcherId;
        this.namespace = namespace;
        this.pattern = pattern;
    }

    long watcherId() {
        return watcherId;
    }

    NamespaceName namespace() {
        return namespace;
    }

    String pattern() {
        return pattern;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** The bytes of the broker's memory that it takes until it has ended. */
    void holds(long bytes) {
        heldBytes = bytes;
    }

    /** Its list was answered; it stays ended if it is. */
    void opened() {
        if (state == State.OPENING) {
            state = State.OPEN;
        }
    }

    void ended() {
        state = State.ENDED;
        unsent.clear();
        unsentBytes = 0;
        count();
        connection.memory().change(MemoryBudget.Kind.CONSUMERS, -heldBytes);
        heldBytes = 0;
    }

    @Override
    public void changed(List<String> made, List<String> deleted, String newHash) {
        connection.execute(() -> {
            if (state == State.OPEN && !connection.isClosed()) {
                deleted.forEach(name -> put(name, false));
                made.forEach(name -> put(name, true));
                hash = newHash;
                send();
            }
        });
    }

    private void put(String name, boolean isThere) {
        if (unsent.put(name, isThere) == null) {
            unsentBytes += Weights.unsentTopic(name);
        }
    }

    /** Tells the client what has changed, unless it takes no output. */
    void send() {
        while (!unsent.isEmpty() && connection.channel().isWritable()) {
            sendSome();
        }
        count();
    }

    /** Has what is unsent counted as memory; a client for which it is too much is cut off. */
    private void count() {
        MemoryBudget memory = connection.memory();
        long more = unsentBytes - countedBytes;
        countedBytes = unsentBytes;
        memory.change(MemoryBudget.Kind.CONSUMERS, more);
        if (more <= 0 || connection.isClosed()) {
            return;
        }
        String text = "a client that watches topics does not take what has changed: " + unsent.size() + " topics";
        if (unsent.size() > MAX_UNSENT_NAMES) {
            connection.abort(text);
        } else if (memory.isShort(MemoryBudget.Kind.CONSUMERS)) {
            connection.abort(text + ", and " + memory.refusal(MemoryBudget.Kind.CONSUMERS));
        }
    }

    private void sendSome() {
        BaseCommand command = connection.replies().command(BaseCommand.Type.WATCH_TOPIC_UPDATE);
        CommandWatchTopicUpdate update = command.setWatchTopicUpdate();
        update.setWatcherId(watcherId).setTopicsHash(hash);
        Iterator<Map.Entry<String, Boolean>> changes = unsent.entrySet().iterator();
        for (int names = 0; names < MAX_UPDATE_NAMES && changes.hasNext(); names++) {
            Map.Entry<String, Boolean> change = changes.next();
            if (change.getValue()) {
                update.addNewTopic(change.getKey());
            } else {
                update.addDeletedTopic(change.getKey());
            }
            unsentBytes -= Weights.unsentTopic(change.getKey());
            changes.remove();
        }
        connection.replies().send(command);
    }
}
