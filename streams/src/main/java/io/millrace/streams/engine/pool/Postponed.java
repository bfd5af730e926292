package io.millrace.streams.engine.pool;

import org.jspecify.annotations.Nullable;

/**
 * Work that a task postpones to the end of what it is doing, as it would cost too much for each element: to publish stored
 * elements, to wake consumers. The task does it itself when it gets there; if a user's function holds it up, {@link
 * TurnMonitor} does it instead.
 *
 * <p><b>Threads</b>: the task and the monitor call {@link #perform}, perhaps at the same time.<br>
 * <b>Owned</b>: {@code nextPostponed}, by the task; the monitor follows it and may miss what comes or goes meanwhile.<br>
 * <b>Proved by</b>: LongTurnTest.
 */
public abstract class Postponed {
    /** The next one in the turn's list; itself for the last one; null if it is in no list. */
    volatile @Nullable Postponed nextPostponed;

    /** Does the work, if it has not been done. Any thread. */
    protected abstract void perform();
}
