package io.millrace.streams.engine.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that any worker may take, first in, first out. Adding one allocates nothing while the ring has room.
 *
 * <p><b>Threads</b>: any thread adds and polls.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code ring}. {@code overflow}: what the ring had no room for. {@code overflowCount}: raised before a task is added there,
 * lowered after one is taken; while it is not zero, all new tasks go there. {@code takenFromOverflow}: raised by who
 * has taken one there; read by the monitor.<br>
 * <b>Proved by</b>: WorkerPoolStressTest.
 */
final class InjectQueue {
    private static final int RING_TASKS = 8192;

    private final MpmcVarHandleArrayQueue<Runnable> ring = new MpmcVarHandleArrayQueue<>(RING_TASKS);
    private final Queue<Runnable> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger overflowCount = new AtomicInteger();
    private final AtomicLong takenFromOverflow = new AtomicLong();

    void add(Runnable task) {
        if (overflowCount.get() != 0 || !ring.offer(task)) {
            addToOverflow(task);
        }
    }

    private void addToOverflow(Runnable task) {
        overflowCount.incrementAndGet();
        boolean added = false;
        try {
            added = overflow.add(task);
        } finally {
            if (!added) { // as memory is short
                overflowCount.decrementAndGet();
            }
        }
    }

    /** The task that has waited longest, or null if there is none. */
    @Nullable
    Runnable poll() {
        Runnable task = ring.poll();
        if (task == null && overflowCount.get() != 0) {
            task = overflow.poll();
            if (task != null) {
                overflowCount.decrementAndGet();
                takenFromOverflow.incrementAndGet();
            }
        }
        return task;
    }

    boolean isEmpty() {
        return ring.isEmpty() && overflowCount.get() == 0;
    }

    /** Changes whenever a task is taken. */
    long takenCount() {
        return takenFromRing() + takenFromOverflow.get();
    }

    /** Changes whenever a task is taken out of the ring. */
    long takenFromRing() {
        return ring.currentConsumerIndex();
    }
}
