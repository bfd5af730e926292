package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.batch.BatchSink;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.timing.IdleTimer;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What splitting operators share: an element for which there is no room, and a substream that nobody has asked for, hold
 * back upstream. If that lasts and nobody else can go on either, the stage fails instead of standing still for ever.
 */
abstract class SplittingLogic<K, T, S> extends LinearStage.Logic<T, S> implements BatchSink {
    private static final String STANDSTILL = "standstill";
    private static final int DEFAULT_CAPACITY = 32;

    final Attributes inherited;
    private final BiFunction<K, Graph<SourceShape<T>, NotUsed>, S> toSubstream;
    private final String name;
    private final Duration patience;
    private final Duration betweenLooks;
    private final int capacity;
    private @Nullable Substream unsent;
    private @Nullable Substream full;
    private @Nullable T waiting;
    private Throwable downstreamCause = new DownstreamFinished();
    private long heldSinceNanos;
    /** For how long nothing has gone on; none before the first look at what is held. */
    private @Nullable IdleTimer standing;

    private boolean finishing;
    private boolean routing;

    SplittingLogic(
            LinearStage<T, S> stage,
            BiFunction<K, Graph<SourceShape<T>, NotUsed>, S> toSubstream,
            Attributes inherited) {
        super(stage);
        this.toSubstream = toSubstream;
        this.inherited = inherited;
        name = stage.name();
        patience = Attributes.SubscriptionTimeout.of(inherited);
        betweenLooks = IdleTimer.betweenLooks(patience);
        capacity = inherited
                .find(Attributes.InputBuffer.class)
                .map(Attributes.InputBuffer::elements)
                .orElse(DEFAULT_CAPACITY);
    }

    /** Hands an element on, and then says {@link #goOn}. */
    abstract void route(T element) throws Exception;

    /** The consumer of the substream wants no more, perhaps while an element waits for room in it. */
    abstract void cancelled(Substream substream, @Nullable T held) throws Exception;

    /** The substreams that want elements. */
    abstract Collection<Substream> open();

    /** Called when nothing is held back any more, perhaps within a batch. */
    void settled() {}

    /** Why nothing can go on; null if something can. Called a few times while something is held back. */
    abstract @Nullable Throwable standstill();

    /** One substream, from when it is opened until it has ended. */
    final class Substream implements OutHandler {
        final K key;
        private final SubSourceOutlet<T> outlet;
        /** When the last element came; kept by who needs it. */
        long lastNanos;

        Substream(K key) {
            this.key = key;
            outlet = subSourceOutlet("substream " + key + " of " + name, capacity);
            outlet.setHandler(this);
        }

        boolean isRun() {
            return outlet.isRun();
        }

        boolean isStarved() {
            return outlet.isStarved();
        }

        /** Whether an element waits for room in it, or it waits to be sent itself. */
        boolean isHeld() {
            return this == full || this == unsent;
        }

        boolean isUnsent() {
            return this == unsent;
        }

        void complete() {
            outlet.complete();
        }

        @Override
        public void onPull() throws Exception {
            T element = waiting;
            if (this == full && element != null && outlet.offer(element)) {
                full = null;
                waiting = null;
                goOn();
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) throws Exception {
            T held = null;
            if (this == full) {
                held = waiting;
                full = null;
                waiting = null;
            }
            cancelled(this, held);
            goOn();
        }
    }

    /** Sends a new substream, with its first element in it. */
    final void open(Substream substream, T first) throws Exception {
        substream.outlet.push(first);
        if (isAvailable(out)) {
            send(substream);
        } else {
            unsent = substream;
            heldSince();
        }
        goOn();
    }

    private void send(Substream substream) {
        push(out, toSubstream.apply(substream.key, substream.outlet.source()));
    }

    /** Adds an element to a substream, or waits until there is room. */
    final void give(Substream substream, T element) throws Exception {
        if (!substream.outlet.offer(element)) {
            waiting = element;
            full = substream;
            if (!substream.isRun()) {
                heldSince();
            }
        }
        goOn();
    }

    /** Asks upstream, or ends, unless something is held back. */
    final void goOn() throws Exception {
        if (isHeld()) {
            return;
        }
        settled();
        if (routing) {
            return;
        }
        if (isWanted()) {
            routeBatch();
            if (isHeld()) {
                return;
            }
        }
        if (finishing) {
            List.copyOf(open()).forEach(Substream::complete);
            completeStage();
        } else if (isWanted()) {
            tryPull(in);
        } else {
            cancelStage(downstreamCause);
        }
    }

    /** Whether another element may come, and somebody would have it. */
    private boolean isWanted() {
        return !finishing && (!isClosed(out) || !open().isEmpty());
    }

    @Override
    public final boolean wantsMore() {
        return !isHeld() && !isClosed(in) && isWanted();
    }

    @Override
    @SuppressWarnings("unchecked")
    public final void take(Object element) throws Exception {
        route((T) element);
    }

    private void routeBatch() throws Exception {
        routing = true;
        try {
            BatchLease.takeAll(StageContext.of(this).in(in), this);
        } finally {
            routing = false;
        }
    }

    private boolean isHeld() {
        return unsent != null || full != null;
    }

    @Override
    public void onPush() throws Exception {
        route(grab(in));
    }

    @Override
    public void onPull() throws Exception {
        Substream next = unsent;
        if (next != null) {
            unsent = null;
            send(next);
        }
        goOn();
    }

    @Override
    public void onUpstreamFinish() throws Exception {
        finishing = true;
        setKeepGoing(isHeld());
        goOn();
    }

    @Override
    public void onDownstreamFinish(Throwable cause) throws Exception {
        downstreamCause = cause;
        Substream never = unsent;
        if (never != null) {
            unsent = null;
            never.complete();
            cancelled(never, null);
        }
        for (Substream substream : open()) {
            if (!substream.isRun()) {
                substream.outlet.expireAfter(patience);
            }
        }
        goOn();
    }

    private void heldSince() {
        heldSinceNanos = nowNanos();
        standing = null;
        if (!isTimerActive(STANDSTILL)) {
            scheduleOnce(STANDSTILL, betweenLooks);
        }
    }

    @Override
    public void onTimer(Object key) throws Exception {
        if (unsent == null && !isHeldByOneNotRun()) {
            return;
        }
        long now = nowNanos();
        if (standing == null) {
            standing = firstLook(now);
        }
        Throwable why = standstill();
        boolean isOver = standing.isOver(why != null, now);
        if (isOver && why != null) {
            failStage(why);
        } else {
            scheduleOnce(STANDSTILL, standing.untilNextLook(now));
        }
    }

    /** What stands still at the first look has done so since it was held, unless that is long ago. */
    private IdleTimer firstLook(long now) {
        boolean isLate = now - heldSinceNanos > 2 * betweenLooks.toNanos();
        return new IdleTimer(patience, isLate, isLate ? now : heldSinceNanos);
    }

    /** How long a standstill may last. */
    final Duration patience() {
        return patience;
    }

    /** Whether the held element waits for room in a substream that nobody has run. */
    final boolean isHeldByOneNotRun() {
        return full != null && !full.isRun();
    }

    /** The key of what is held; called while something is. */
    final @Nullable K heldKey() {
        Substream held = unsent == null ? full : unsent;
        return held == null ? null : held.key;
    }
}
