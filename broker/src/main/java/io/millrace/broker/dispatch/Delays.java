package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Keeps new entries whose time has not come, for the subscription types that share entries, and wakes the dispatcher
 * when it has; they then wait to be sent like entries held back. Nothing is logged: the delay stands in the entry's
 * header, so it holds after a restart, too.
 */
final class Delays {
    /** After so long it looks at the clock at least, which may have been set, or have gone on while the machine slept. */
    static final long MAX_WAIT_MILLIS = 10_000;

    private final DelayedEntries entries;
    private final RedeliveryQueue queue;
    private final InstantSource clock;
    private final DispatcherContext context;
    /** One object, since it is the key of the timer. */
    private final Runnable wake = this::wake;

    private long wakeAtMillis = Long.MAX_VALUE;
    private boolean isEnabled = true;

    Delays(DelayedEntries entries, RedeliveryQueue queue, InstantSource clock, DispatcherContext context) {
        this.entries = entries;
        this.queue = queue;
        this.clock = clock;
        this.context = context;
    }

    /** Whether entries wait for their time from now on; if not, all that wait are released. */
    void enable(boolean wanted) {
        isEnabled = wanted;
        if (!wanted) {
            release(Long.MAX_VALUE);
        }
    }

    /** Keeps the entry's position, if it is not due, or comes behind one that waits still; its bytes stay with the caller. */
    boolean keep(Entry entry, Selector selector) {
        long deliverAtMillis = entry.header().deliverAtMillis();
        if (deliverAtMillis <= 0 || !isEnabled || selector.type().singleActive() || isNext(deliverAtMillis)) {
            return false;
        }
        Position position = entry.position();
        entries.add(
                position.ledgerId(),
                position.entryId(),
                RedeliveryQueue.key(entry.header(), selector.type()),
                deliverAtMillis);
        setTimer();
        return true;
    }

    /** Whether that time has come, and none waits that is due until the end of its tick, which would be overtaken. */
    private boolean isNext(long deliverAtMillis) {
        return deliverAtMillis <= clock.millis()
                && (entries.size() == 0
                        || entries.dueMillis() > DelayedEntries.tick(deliverAtMillis) * DelayedEntries.TICK_MILLIS);
    }

    /** Releases the entries that are due. */
    void release() {
        release(clock.millis());
    }

    private void release(long nowMillis) {
        if (entries.size() > 0) {
            entries.release(nowMillis, queue::holdBack);
            setTimer();
        }
    }

    private void setTimer() {
        long dueMillis = entries.dueMillis();
        if (dueMillis < wakeAtMillis) {
            long nowMillis = clock.millis();
            wakeAtMillis = Math.min(dueMillis, nowMillis + MAX_WAIT_MILLIS);
            context.later(wake, Duration.ofMillis(Math.max(1, wakeAtMillis - nowMillis)));
        }
    }

    private void wake() {
        wakeAtMillis = Long.MAX_VALUE;
        context.requestTurn();
    }
}
