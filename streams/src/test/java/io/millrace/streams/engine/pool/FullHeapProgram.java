package io.millrace.streams.engine.pool;

import org.jspecify.annotations.Nullable;

/** Adds tasks until there is no memory for more, and takes them all. */
final class FullHeapProgram {
    /** What the heap has room for again after that. */
    @SuppressWarnings("UnusedVariable") // it takes room until it is cleared
    private static byte @Nullable [] reserve;

    private FullHeapProgram() {}

    public static void main(String[] arguments) {
        InjectQueue queue = new InjectQueue();
        Runnable task = new NumberedTask(1);
        long added = addUntilFull(queue, task);
        for (long taken = 0; taken < added; taken++) {
            require(!queue.isEmpty());
            require(queue.poll() == task);
        }
        require(queue.isEmpty());
        long takenFromRing = queue.takenFromRing();
        queue.add(task);
        require(queue.poll() == task);
        require(queue.takenFromRing() == takenFromRing + 1);
    }

    private static long addUntilFull(InjectQueue queue, Runnable task) {
        reserve = new byte[1 << 20];
        long added = 0;
        try {
            while (true) {
                queue.add(task);
                added++;
            }
        } catch (OutOfMemoryError full) {
            reserve = null;
            return added;
        }
    }

    /** Needs no classes that are not loaded yet. */
    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("not so");
        }
    }
}
