package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.hub.WithoutConsumers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a broadcast hub decides, without a stream around it: who is where, what is kept, when there is room.
 *
 * <p>Invariants between two calls: positions of consumers in the wheel lie between head and tail; tail - head is at most
 * the buffer size; with a consumer in the wheel its slowest one stands at the head, or the head has not been advanced
 * yet. Positions are compared by their difference, so they may overflow.
 *
 * <p><b>Threads:</b> the hub's island. <b>Shared:</b> {@code consumers}, volatile, written by the hub's island before a consumer is told that
 * it has joined, so that whoever knows of its registration finds it counted.
 */
final class HubCore<T> {
    private final HubRing<T> ring;
    private final HubWheel wheel;
    private final BroadcastHubSettings settings;
    private long head;
    private volatile int consumers;
    private long lastLeave;
    private long lastLeftAt;
    private int patient;
    private int joins;
    private long dropped;
    private boolean isStarted;
    private @Nullable HubConsumer waiting;
    private @Nullable HubConsumer lastWaiting;
    /** How many rows of waiting consumers were handed over before this one. */
    private int waitingRow;

    HubCore(HubRing<T> ring, BroadcastHubSettings settings) {
        this.ring = ring;
        this.wheel = new HubWheel(settings.bufferSize());
        this.settings = settings;
        this.head = ring.tailPlain();
        this.isStarted = settings.startAfterConsumers() == 0;
    }

    /** How many there are; for any thread. */
    int consumers() {
        return consumers;
    }

    long head() {
        return head;
    }

    /** What a snapshot shows, read by other threads while the hub goes on. */
    Map<String, Long> detail() {
        long buffered = Math.max(0, ring.tailAcquire() - head);
        return Map.of("consumers", (long) consumers, "buffered", buffered, "dropped", dropped);
    }

    HubWheel wheel() {
        return wheel;
    }

    boolean hasWaiting() {
        return waiting != null;
    }

    boolean isFull() {
        return ring.tailPlain() - head == ring.size();
    }

    private boolean drops() {
        return consumers == 0 && settings.withoutConsumers() == WithoutConsumers.DROP;
    }

    /** Whether the next element could be taken now. */
    boolean hasRoom() {
        return isStarted && (!isFull() || drops() || wheel.givesWay(head));
    }

    /** Takes an element; false when there is no room after all, since consumers have come or gone meanwhile. */
    boolean offer(T element) {
        if (isFull() && wheel.givesWay(head)) {
            evictAtHead(0); // at any time, for all there are without patience
        }
        if (isFull() && !drops()) {
            return false;
        }
        ring.append(element);
        if (drops()) {
            dropped += ring.tailPlain() - head;
            head = ring.tailPlain();
        } else {
            advanceHead();
        }
        return true;
    }

    /** Takes in what a consumer has announced, or lets it join. */
    void arrived(HubConsumer consumer) {
        long announcement = consumer.takeAnnouncement();
        boolean left = HubConsumer.has(announcement, HubConsumer.LEFT);
        boolean neverStarted = HubConsumer.has(announcement, HubConsumer.NEVER_STARTED);
        switch (consumer.state) {
            case NEW -> {
                if (left) {
                    consumer.state = HubConsumer.State.GONE;
                } else {
                    join(consumer);
                }
            }
            case WHEEL, FREE, PARTED -> {
                long tail = ring.tailPlain();
                long at = neverStarted ? consumer.position : HubConsumer.position(announcement, tail);
                if (left) {
                    leave(consumer, at);
                } else {
                    settle(consumer);
                    moved(consumer, at, HubConsumer.has(announcement, HubConsumer.WAITING));
                }
            }
            case GONE -> {
                if (left && !neverStarted && consumer.isDisconnected()) {
                    leftDisconnected(consumer, HubConsumer.position(announcement, ring.tailPlain()));
                }
            }
        }
    }

    private void join(HubConsumer consumer) {
        JoinPosition wanted = consumer.settings.joinPosition();
        long tail = ring.tailPlain();
        long atTail = consumers == 0 ? head : tail;
        long at = wanted.isTail() ? atTail : replayed(wanted, ring.oldestAcquire(), tail);
        counted(1);
        joins++;
        isStarted |= consumers >= settings.startAfterConsumers();
        if (consumer.settings.lagPolicy() == LagPolicy.DROP_OLDEST) {
            consumer.state = HubConsumer.State.FREE;
            wheel.addAside(consumer, at);
        } else {
            consumer.isNew = consumer.hasFirstTurn();
            enterWheel(consumer, at);
        }
        patient += consumer.isPatient() ? 1 : 0;
        letStart(consumer, at);
    }

    /** It has had its first turn, or as much time as it has for that. */
    private void settle(HubConsumer consumer) {
        if (consumer.isNew) {
            patient -= consumer.isPatient() ? 1 : 0;
            wheel.settle(consumer);
            patient += consumer.isPatient() ? 1 : 0;
        }
    }

    private void counted(int change) {
        int now = consumers + change;
        consumers = now;
    }

    private void enterWheel(HubConsumer consumer, long at) {
        consumer.state = HubConsumer.State.WHEEL;
        consumer.timedAt = at - 1; // where it never is
        wheel.add(consumer, at);
        if (at - head < 0) {
            head = at;
        }
    }

    private static void letStart(HubConsumer consumer, long at) {
        consumer.joinAt(at);
        consumer.wake.run();
    }

    /** Whoever comes next goes on after the last that left, which need not be the last of which the hub hears. */
    private void leave(HubConsumer consumer, long at) {
        if (consumer.leaveNumber - lastLeave >= 0) {
            lastLeave = consumer.leaveNumber;
            lastLeftAt = at;
        }
        wheel.remove(consumer);
        left(consumer, lastLeftAt);
    }

    private void left(HubConsumer consumer, long at) {
        consumer.state = HubConsumer.State.GONE;
        removeWaiting(consumer);
        counted(-1);
        patient -= consumer.isPatient() ? 1 : 0;
        if (consumers == 0) {
            long tail = ring.tailPlain();
            long oldest = ring.oldestAcquire();
            long unread = at - oldest < 0 ? oldest : at;
            boolean drops = settings.withoutConsumers() == WithoutConsumers.DROP;
            dropped += drops ? tail - unread : 0;
            head = drops ? tail : unread;
        }
    }

    /** It may have read an element while it was disconnected, and have given that on: whoever comes next goes on after that. */
    private void leftDisconnected(HubConsumer consumer, long at) {
        if (consumers == 0 && consumer.leaveNumber - lastLeave >= 0 && at - head > 0) {
            head = at;
        }
    }

    private void moved(HubConsumer consumer, long at, boolean waits) {
        // Where the hub has looked up the live position itself, an older announcement may still arrive.
        if (consumer.state == HubConsumer.State.WHEEL && at - consumer.position > 0) {
            wheel.move(consumer, at);
        }
        if (!waits) {
            return;
        }
        HubConsumer.Eviction copy = consumer.state == HubConsumer.State.PARTED ? consumer.eviction : null;
        if (copy != null && at == copy.end()) {
            returnToWheel(consumer);
        } else if (copy == null && at == ring.tailPlain()) {
            addWaiting(consumer);
        } else {
            consumer.wake.run();
        }
    }

    /** Has the consumer woken with the next element; the same announcement may be taken in twice. */
    private void addWaiting(HubConsumer consumer) {
        if (!consumer.isWaiting) {
            consumer.isWaiting = true;
            consumer.waitingRow = waitingRow;
            consumer.nextWaiting = waiting;
            if (waiting == null) {
                lastWaiting = consumer;
            } else {
                waiting.previousWaiting = consumer;
            }
            waiting = consumer;
        }
    }

    /** Where no element comes, nobody else takes it from the row; one that was handed over is forgotten when it is woken. */
    private void removeWaiting(HubConsumer consumer) {
        if (!consumer.isWaiting || consumer.waitingRow != waitingRow) {
            return;
        }
        HubConsumer before = consumer.previousWaiting;
        HubConsumer after = consumer.nextWaiting;
        if (before == null) {
            waiting = after;
        } else {
            before.nextWaiting = after;
        }
        if (after == null) {
            lastWaiting = before;
        } else {
            after.previousWaiting = before;
        }
        consumer.previousWaiting = null;
        consumer.nextWaiting = null;
        consumer.isWaiting = false;
    }

    private void returnToWheel(HubConsumer consumer) {
        wheel.remove(consumer);
        enterWheel(consumer, ring.tailPlain());
        letStart(consumer, ring.tailPlain());
    }

    /** The consumers that wait for an element are due to be woken. */
    void handOverWaiting(HubWaking due) {
        HubConsumer first = waiting;
        HubConsumer last = lastWaiting;
        waiting = null;
        lastWaiting = null;
        waitingRow++;
        if (first != null && last != null) {
            due.add(first, last);
        }
    }

    /** Wakes every consumer, for the hub has ended. */
    void wakeAll() {
        for (int slot = 0; slot < wheel.slots(); slot++) {
            for (HubConsumer at = wheel.firstIn(slot); at != null; at = at.next) {
                at.wake.run();
            }
        }
    }

    /** Moves the head over positions that nobody needs. */
    void advanceHead() {
        if (consumers == 0) {
            return;
        }
        long tail = ring.tailPlain();
        if (wheel.inWheel() == 0) {
            head = tail;
            return;
        }
        while (head != tail && wheel.countAt(head) == 0) {
            head++;
        }
    }

    /** Whether somebody may hold the hub back, but only for a time. */
    boolean hasPatient() {
        return patient > 0;
    }

    /** Counts those that have joined: while the hub is full, others than at the head before are there only if it or the head has changed. */
    int joins() {
        return joins;
    }

    /**
     * Measures the patience of those at the head from now on, unless it does so already: how long until the first of them has had it,
     * {@code Long.MAX_VALUE} where none gives way.
     */
    long timeThoseAtHead(long nowNanos) {
        long least = Long.MAX_VALUE;
        for (HubConsumer at = wheel.firstAt(head); at != null; at = at.next) {
            if (at.patienceNanos() != Long.MAX_VALUE) {
                least = Math.min(least, at.patienceLeftNanos(nowNanos));
            }
        }
        return least;
    }

    /** Gets those out of the way that lag by a whole buffer and do not want to hold up the others any longer. */
    void evictAtHead(long nowNanos) {
        HubConsumer consumer = wheel.firstAt(head);
        while (consumer != null) {
            HubConsumer following = consumer.next;
            if (consumer.isNew && consumer.hasHadItsPatience(nowNanos)) {
                settle(consumer);
            }
            if (consumer.givesWay()) {
                long live = consumer.liveAcquire();
                if (live != head) {
                    wheel.move(consumer, live);
                } else if (consumer.hasHadItsPatience(nowNanos)) {
                    evict(consumer);
                }
            }
            consumer = following;
        }
        advanceHead();
    }

    private void evict(HubConsumer consumer) {
        settle(consumer);
        wheel.remove(consumer);
        if (consumer.settings.lagPolicy() == LagPolicy.DROP_NEWEST) {
            consumer.eviction = new HubConsumer.Eviction(consumer.joins, head, ring.copyFrom(head));
            consumer.state = HubConsumer.State.PARTED;
            wheel.addAside(consumer, head);
        } else {
            consumer.eviction = new HubConsumer.Eviction(consumer.joins, head, null);
            left(consumer, head);
            consumer.wake.run();
        }
    }

    /** Whether somebody gets what comes last: a consumer that is there, or the first that comes after the end. */
    boolean isLastWanted() {
        return consumers > 0 || keepsAfterEnd();
    }

    private boolean keepsAfterEnd() {
        return settings.keepAfterCompletion() && settings.withoutConsumers() != WithoutConsumers.DROP;
    }

    /** Drops what nobody has read, so that who comes before the end is known gets nothing, as who comes after it. */
    void dropUnread() {
        dropped += ring.tailPlain() - head;
        head = ring.tailPlain();
    }

    /** The end of this hub as of now. */
    HubEnd end(@Nullable Throwable failure) {
        return new HubEnd(failure, ring.tailPlain(), head, consumers, keepsAfterEnd());
    }

    /** Takes in what a consumer has announced while the hub was ending: only that it has left matters. */
    void arrivedAtEnd(HubConsumer consumer, HubEnd end) {
        long announcement = consumer.lastAnnouncement();
        boolean left = HubConsumer.has(announcement, HubConsumer.LEFT);
        boolean neverStarted = HubConsumer.has(announcement, HubConsumer.NEVER_STARTED);
        if (left && consumer.state != HubConsumer.State.NEW && consumer.state != HubConsumer.State.GONE) {
            end.left(consumer, neverStarted ? consumer.position : HubConsumer.position(announcement, end.tail()));
        }
    }

    static long replayed(JoinPosition wanted, long oldest, long tail) {
        long kept = tail - oldest;
        return tail - Math.min(kept, wanted.mostReplayed());
    }
}
