package io.millrace.streams.engine.pool;

import io.millrace.streams.Await;
import io.millrace.streams.FullHeap;
import java.util.concurrent.TimeUnit;

/** Has threads run tasks while there is no memory for anything, in a heap without buffers of threads. */
final class FullHeapTurnsProgram {
    private static final int TIMES = 100_000;

    private static volatile int ran;

    private FullHeapTurnsProgram() {}

    public static void main(String[] arguments) {
        trampoline();
        if (Runtime.version().feature() < 21) { // blocked virtual threads are not told
            blockingWorkers();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
    private static void run() {
        ran++;
    }

    private static void runAgain(TrampolineExecutor executor) {
        run();
        if (ran < TIMES) {
            executor.execute(FullHeapTurnsProgram::run); // what is given first is what runs
        }
    }

    private static void trampoline() {
        TrampolineExecutor executor = new TrampolineExecutor(Runnable::run);
        Runnable task = () -> runAgain(executor);
        executor.execute(task);
        require(ran == TIMES);
        ran = 0;
        FullHeap.fill();
        try {
            executor.execute(task);
        } finally {
            FullHeap.empty();
        }
        require(ran == TIMES);
    }

    private static void blockingWorkers() {
        ran = 0;
        BlockingWorkers workers = new BlockingWorkers();
        workers.execute(FullHeapTurnsProgram::run);
        Await.until("its classes are loaded", () -> ran == 1);
        synchronized (workers) {
            workers.execute(FullHeapTurnsProgram::run);
            Await.until("it is about to be noted", FullHeapTurnsProgram::isNoting);
            FullHeap.fill();
        }
        long start = System.nanoTime();
        while (ran < 2 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
        FullHeap.empty();
        require(ran == 2);
        workers.close();
    }

    private static boolean isNoting() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(each -> each.getKey().getState() == Thread.State.BLOCKED
                        && each.getValue().length > 0 // a thread that has just been asked may have ended
                        && each.getValue()[0].getClassName().equals(BlockingWorkers.class.getName())
                        && each.getValue()[0].getMethodName().equals("add"));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("a turn was lost");
        }
    }
}
