package io.millrace.broker.protocol;

import io.millrace.broker.memory.MemoryBudget;

/**
 * Counts the topics that the watchers of a connection have not told their client, because it takes no output. When they are
 * too many, or there is no memory for them, the client is cut off, and lists the topics when it is back. Owned by the
 * connection's event loop.
 */
final class UnsentNames {
    private static final int MAX_NAMES = 10_000;

    private final Connection connection;
    private int names;

    UnsentNames(Connection connection) {
        this.connection = connection;
    }

    /** A watcher has so many more than before, with their bytes, or fewer. */
    void changed(int byNames, long byBytes) {
        names += byNames;
        MemoryBudget memory = connection.memory();
        memory.change(MemoryBudget.Kind.CONSUMERS, byBytes);
        if (byNames <= 0 || connection.isClosed()) {
            return;
        }
        if (names > MAX_NAMES) {
            connection.abort("a client that watches topics does not take what has changed: " + names + " topics");
        } else if (memory.isShort(MemoryBudget.Kind.CONSUMERS)) {
            connection.abort("a client that watches topics does not take what has changed, and "
                    + memory.refusal(MemoryBudget.Kind.CONSUMERS));
        }
    }
}
