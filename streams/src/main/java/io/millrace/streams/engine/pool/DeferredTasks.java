package io.millrace.streams.engine.pool;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The tasks of a pool that wait for the threads that gave them: one a thread, more or less.
 *
 * <p><b>Threads</b>: any thread keeps one; the monitor submits what still waits.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code places}: by compare-and-set; who puts another one out has submitted it before, so that at no time it is neither here nor
 * where it is then.<br>
 * <b>Proved by</b>: HelpingTest.
 */
final class DeferredTasks {
    private static final int PLACES = 16;

    private final AtomicReferenceArray<DeferredTask> places = new AtomicReferenceArray<>(PLACES);

    /** Keeps a task, and submits the one that this thread has given before. */
    void add(DeferredTask deferred) {
        int place = place();
        DeferredTask before;
        do {
            before = places.get(place);
            if (before != null && !before.submit()) {
                before.hide(); // as all places are of threads that help
            }
        } while (!places.compareAndSet(place, before, deferred));
    }

    /** Those that wait, or are run by who helps. */
    void addTo(List<? super Deferrable> all) {
        for (int i = 0; i < PLACES; i++) {
            DeferredTask there = places.get(i);
            Deferrable shown = there == null ? null : there.shown();
            if (shown != null) {
                all.add(shown);
            }
        }
    }

    /** That of the calling thread, or the next one where nobody helps. */
    private int place() {
        int own = (int) Thread.currentThread().getId();
        for (int i = 0; i < PLACES; i++) {
            int place = (own + i) & (PLACES - 1);
            DeferredTask there = places.get(place);
            if (there == null || !there.isHelped()) {
                return place;
            }
        }
        return own & (PLACES - 1);
    }

    /** Keeps a task again that the calling thread runs as a helper; false if it does not. */
    boolean holdAgain(Runnable task) {
        for (int i = 0; i < PLACES; i++) {
            DeferredTask there = places.get(i);
            if (there != null && there.holdAgain(task)) {
                return true;
            }
        }
        return false;
    }

    /** Submits all that wait; whether any did. */
    boolean submitAll() {
        boolean any = false;
        for (int i = 0; i < PLACES; i++) {
            DeferredTask there = places.get(i);
            any |= there != null && there.submit();
        }
        return any;
    }

    /** Interrupts the threads that help. */
    void interrupt() {
        for (int i = 0; i < PLACES; i++) {
            DeferredTask there = places.get(i);
            if (there != null) {
                there.interrupt();
            }
        }
    }
}
