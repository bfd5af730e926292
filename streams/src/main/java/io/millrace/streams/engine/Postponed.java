package io.millrace.streams.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a stage puts off until the work in hand is done, as to do it at once for each element would be dear: showing stored
 * elements to the other side, waking consumers. The island does it itself as soon as it gets there; where a call of a user's
 * function keeps it, {@link TurnMonitor} does it instead.
 *
 * <p><b>Threads</b>: the island and the monitor call {@link #perform}, perhaps at once.<br>
 * <b>Owned</b>: {@code nextPostponed}, by the island; the monitor follows it and may miss what comes or goes meanwhile.
 */
public abstract class Postponed {
    /** The next one of the turn; itself for the last one; null when it is in no turn's list. */
    volatile @Nullable Postponed nextPostponed;

    /** Does what was put off, if it has not been done; any thread. */
    protected abstract void perform();
}
