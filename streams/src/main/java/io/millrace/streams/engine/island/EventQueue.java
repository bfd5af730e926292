package io.millrace.streams.engine.island;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The edges of an island that wait for their turn, first come, first served: a list by links in the edges, as each is in it
 * at most once. Some are for later, when nothing else waits. And the stages that are to be stopped, likewise, the last one first. Belongs to the
 * island.
 */
abstract class EventQueue extends SignalQueue {
    /** So many events are taken at most before one that is for later. */
    private static final int MAX_PASSED_OVER = 32;

    private @Nullable Edge firstEvent;
    private @Nullable Edge lastEvent;
    /** The last of a ring: the first comes behind it. */
    private @Nullable Edge lastForLater;

    private int passedOver;
    private @Nullable StageContext firstToStop;

    final boolean hasEvents() {
        return firstEvent != null;
    }

    final void enqueueLast(Edge connection) {
        Edge last = lastEvent;
        if (last == null) {
            firstEvent = connection;
        } else {
            last.nextEvent = connection;
        }
        lastEvent = connection;
    }

    final @Nullable Edge nextEvent() {
        Edge first = firstEvent;
        if (first != null) {
            Edge second = first.nextEvent;
            firstEvent = second;
            if (second == null) {
                lastEvent = null;
            } else {
                first.nextEvent = null;
            }
        }
        return first;
    }

    /** The edge has its turn when no other one waits, or after a while. */
    final void enqueueForLater(Edge connection) {
        Edge last = lastForLater;
        connection.nextEvent = last == null ? connection : last.nextEvent;
        if (last != null) {
            last.nextEvent = connection;
        }
        lastForLater = connection;
    }

    final boolean hasEventsForLater() {
        return lastForLater != null;
    }

    private @Nullable Edge nextForLater() {
        Edge last = lastForLater;
        if (last == null) {
            return null;
        }
        Edge first = last.nextEvent;
        if (first == null || first == last) {
            lastForLater = null;
            last.nextEvent = null;
            return last;
        }
        last.nextEvent = first.nextEvent;
        first.nextEvent = null;
        return first;
    }

    /** The next event where some are for later: they have their turn when nothing else waits, and now and then. */
    final @Nullable Edge nextOfAll() {
        if (hasEvents() && passedOver < MAX_PASSED_OVER) {
            passedOver++;
            return nextEvent();
        }
        passedOver = 0;
        return nextForLater();
    }

    /** Any event of all, of which there must be one; one for later seldom, where others wait. */
    final @Nullable Edge drawOfAll(SplittableRandom random) {
        boolean isForLater = hasEventsForLater() && (!hasEvents() || random.nextInt(MAX_PASSED_OVER) == 0);
        return isForLater ? nextForLater() : drawEvent(random);
    }

    /** Any of those that wait, of which there must be one. */
    private @Nullable Edge drawEvent(SplittableRandom random) {
        int count = 0;
        for (Edge event = firstEvent; event != null; event = event.nextEvent) {
            count++;
        }
        for (int turned = random.nextInt(count); turned > 0; turned--) {
            Edge first = nextEvent();
            if (first != null) {
                enqueueLast(first);
            }
        }
        return nextEvent();
    }

    /** The stage is to be stopped before those that were to be before, unless it is one of them. */
    final void enqueueStop(StageContext context) {
        if (!context.isStopQueued) {
            context.isStopQueued = true;
            context.nextStopping = firstToStop;
            firstToStop = context;
        }
    }

    final @Nullable StageContext firstToStop() {
        return firstToStop;
    }

    /** Takes out the first that is to be stopped. */
    final void pollStop(StageContext first) {
        firstToStop = first.nextStopping;
        first.nextStopping = null;
        first.isStopQueued = false;
    }

    final void forgetEvents() {
        firstEvent = null;
        lastEvent = null;
        lastForLater = null;
        firstToStop = null;
    }
}
