package io.millrace.streams.engine.pool;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All turns of a runtime: one for each worker, and as many as other threads have needed at once lately, which claim a free one.
 *
 * <p><b>Threads</b>: any thread claims; the monitor reads {@code all}, and drops turns.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code claimable}, {@code all}: replaced under the lock by longer or shorter copies, read without it. A turn is in {@code all} before
 * it can be claimed, and until it is claimed for good, as a thread may still see the longer table.<br>
 * <b>Proved by</b>: TurnMonitorTest.
 */
final class TurnTable {
    private static final int MIN_CLAIMABLE = 8;

    private final Object lock = new Object();
    private final int workerCount;
    private volatile Turn[] all;
    private volatile Turn[] claimable = {};

    /** With these turns, which belong to workers. */
    TurnTable(Turn[] ofWorkers) {
        all = ofWorkers.clone();
        workerCount = ofWorkers.length;
    }

    Turn[] all() {
        return all;
    }

    /** How many turns there are for threads that have none of their own. */
    int claimableCount() {
        return claimable.length;
    }

    /** Begins to run a task on a thread that has no turn of its own. */
    Turn claim() {
        Turn free = claimFree();
        return free == null ? claimOfMore() : free;
    }

    private @Nullable Turn claimFree() {
        Turn[] turns = claimable;
        int start = (int) Thread.currentThread().getId();
        for (int i = 0; i < turns.length; i++) {
            Turn turn = turns[(start + i) & (turns.length - 1)];
            if (turn.claim()) {
                return turn;
            }
        }
        return null;
    }

    private Turn claimOfMore() {
        synchronized (lock) {
            Turn free = claimFree(); // another thread that had the lock may have made more
            if (free != null) {
                return free;
            }
            int before = claimable.length;
            Turn[] more = Arrays.copyOf(claimable, before == 0 ? MIN_CLAIMABLE : before * 2);
            Turn[] longer = Arrays.copyOf(all, all.length + more.length - before);
            for (int i = before; i < more.length; i++) {
                more[i] = new Turn();
                longer[all.length + i - before] = more[i];
            }
            Turn taken = more[before];
            taken.claim();
            all = longer;
            claimable = more;
            return taken;
        }
    }

    boolean isOfWorker(int index) {
        return index < workerCount;
    }

    /** Whether there are more than are kept however few are used. */
    boolean isLarge() {
        return all.length > workerCount + MIN_CLAIMABLE;
    }

    /** Has threads claim the first half alone, and drops all others that are free. */
    void halve() {
        synchronized (lock) {
            Turn[] first = Arrays.copyOf(claimable, Math.max(MIN_CLAIMABLE, claimable.length / 2));
            claimable = first;
            Turn[] before = all;
            Set<Turn> kept = Collections.newSetFromMap(new IdentityHashMap<>());
            kept.addAll(List.of(first));
            kept.addAll(Arrays.asList(before).subList(0, workerCount));
            all = Arrays.stream(before)
                    .filter(turn -> kept.contains(turn) || !turn.claim())
                    .toArray(Turn[]::new);
        }
    }
}
