package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.BroadcastHubSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a broadcast hub and its consumers share.
 *
 * <p><b>Threads</b>: the hub's island takes in and ends it; consumers' islands announce. As long as there is no stage, those who arrive or shut it down stand
 * in for the island, one at a time.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code wakeStage}, {@code shutDownStage}: written once under this, which until then guards what is of the island. {@code end}, volatile, written by the
 * hub once before it closes the arrivals; {@code leaves}, counted by consumers that leave; core, ring, arrivals and consumers as said there.<br>
 * <b>States</b>: without a stage -> running in one, by {@link #runsHere}; either -> ended.<br>
 * <b>Proved by</b>: BroadcastHubStressTest.
 */
public final class BroadcastHubState<T> {
    private final HubRing<T> ring;
    private final HubArrivals<HubConsumer> arrivals = new HubArrivals<>();
    private final AtomicLong leaves = new AtomicLong();
    private final HubCore<T> core;
    private volatile @Nullable Runnable wakeStage;
    private @Nullable Runnable shutDownStage;
    private volatile @Nullable HubEnd end;

    /** A hub without a stage, for consumers that are there before its stream is run. */
    public BroadcastHubState(BroadcastHubSettings settings, long firstPosition) {
        this.ring = new HubRing<>(settings.bufferSize(), firstPosition);
        this.core = new HubCore<>(ring, settings);
        arrivals.wakeHubWith(this::arrived);
    }

    /** From now on the stage takes in that has just started, told by these; it looks then whether the hub has ended. */
    synchronized void runsHere(Runnable wake, Runnable shutDown) {
        wakeStage = wake;
        shutDownStage = shutDown;
    }

    private void arrived() {
        Runnable wake = wakeStage;
        if (wake == null) {
            synchronized (this) {
                wake = wakeStage;
                if (wake == null) {
                    takeIn();
                    return;
                }
            }
        }
        wake.run();
    }

    /** Cancels what comes, and completes the consumers; from any thread, at any time. */
    public void shutdown() {
        Runnable shutDown;
        synchronized (this) {
            shutDown = shutDownStage;
            if (shutDown == null) {
                end(null);
                return;
            }
        }
        shutDown.run();
    }

    /**
     * Takes all news in, joins last and in their order: where one begins depends on whether the others have left. The order of the rest does not matter,
     * for leaves bear numbers.
     */
    void takeIn() {
        HubConsumer consumer = end == null ? arrivals.takeAll() : null;
        HubConsumer joining = null;
        while (consumer != null) {
            HubConsumer following = consumer.nextArrival;
            if (consumer.state == HubConsumer.State.NEW) {
                consumer.nextArrival = joining;
                joining = consumer;
            } else {
                consumer.nextArrival = null;
                core.arrived(consumer);
            }
            consumer = following;
        }
        letJoin(joining);
        core.advanceHead();
    }

    private void letJoin(@Nullable HubConsumer earliest) {
        HubConsumer consumer = earliest;
        while (consumer != null) {
            HubConsumer following = consumer.nextArrival;
            consumer.nextArrival = null;
            core.arrived(consumer);
            consumer = following;
        }
    }

    /** Ends it, completed or failed, and wakes all consumers; does nothing if it has ended. For the hub, and for whoever could not run it. */
    synchronized void end(@Nullable Throwable failure) {
        if (end != null) {
            return;
        }
        takeIn();
        HubEnd how = core.end(failure);
        end = how;
        HubConsumer before = arrivals.takeAll();
        countOut(before, how); // those that are refused now are to find them gone
        HubConsumer late = arrivals.close();
        countOut(late, how);
        wake(before);
        wake(late);
        core.wakeAll();
    }

    private void countOut(@Nullable HubConsumer latest, HubEnd how) {
        for (HubConsumer at = latest; at != null; at = at.nextArrival) {
            core.arrivedAtEnd(at, how);
        }
    }

    /** Only those that wait for their start need it, but a wake-up more does no harm. */
    private static void wake(@Nullable HubConsumer latest) {
        HubConsumer consumer = latest;
        while (consumer != null) {
            HubConsumer following = consumer.nextArrival;
            consumer.nextArrival = null;
            consumer.wake.run();
            consumer = following;
        }
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        HubEnd ended = end;
        return ended == null ? core.consumers() : ended.readers();
    }

    HubCore<T> core() {
        return core;
    }

    HubRing<T> ring() {
        return ring;
    }

    HubArrivals<HubConsumer> arrivals() {
        return arrivals;
    }

    /** How the hub ended, or null. */
    @Nullable
    public HubEnd end() {
        return end;
    }

    /** The number of one more consumer that leaves, by which the hub knows the last. */
    long nextLeave() {
        return leaves.incrementAndGet();
    }

    /** Brings a consumer with news to the hub; false when the hub has ended. */
    boolean arrive(HubConsumer consumer) {
        return arrivals.push(consumer);
    }
}
