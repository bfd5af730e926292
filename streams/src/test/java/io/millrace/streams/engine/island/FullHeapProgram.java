package io.millrace.streams.engine.island;

import org.jspecify.annotations.Nullable;

/** Adds messages until there is no memory for more, and takes them all. */
final class FullHeapProgram {
    /** What the heap has room for again after that. */
    @SuppressWarnings("UnusedVariable") // it takes room until it is cleared
    private static byte @Nullable [] reserve;

    private FullHeapProgram() {}

    public static void main(String[] arguments) {
        MessageQueue queue = new MessageQueue();
        Object message = new Object();
        for (int round = 0; round < 3; round++) {
            long added = addUntilFull(queue, message);
            for (long taken = 0; taken < added; taken++) {
                require(queue.poll() == message);
            }
            require(queue.isEmpty());
            require(queue.poll() == null);
        }
    }

    private static long addUntilFull(MessageQueue queue, Object message) {
        reserve = new byte[1 << 20];
        long added = 0;
        try {
            while (true) {
                queue.add(message);
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
