package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.batch.BatchSink;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sink of a broadcast hub: brings elements and announcements to a {@link HubCore}. */
public final class BroadcastHubStage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, BroadcastHubState<T>> {
    private static final String PATIENCE = "patience";

    private final Inlet<T> in = Inlet.create("broadcast-hub.in");
    private final SinkShape<T> shape = SinkShape.of(in);
    private final Supplier<BroadcastHubState<T>> hubs;
    private final Consumer<StageContext> made;

    public BroadcastHubStage(BroadcastHubSettings settings, long firstPosition) {
        hubs = () -> new BroadcastHubState<>(settings, firstPosition);
        made = stage -> {};
    }

    /** The sink of a hub that there is already; to be run once. */
    public BroadcastHubStage(BroadcastHubState<T> hub) {
        this(hub, stage -> {});
    }

    /** The same, for who wants to know what it is in its run. */
    BroadcastHubStage(BroadcastHubState<T> hub, Consumer<StageContext> made) {
        hubs = () -> hub;
        this.made = made;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "broadcast-hub";
    }

    @Override
    public LogicAndValue<BroadcastHubState<T>> createLogicAndValue(Attributes inherited) {
        BroadcastHubState<T> hub = hubs.get();
        Logic logic = new Logic(hub);
        made.accept(logic.context);
        return new LogicAndValue<>(logic, hub);
    }

    private final class Logic extends GraphStageLogic implements InHandler, BatchSink {
        private final StageContext context = StageContext.of(this);
        private final Later later = new Later(this, this::goOn);
        private final BroadcastHubState<T> hub;
        private final HubCore<T> core;
        private final StageWakeUp flush = StageWakeUp.of(this, asked -> flushed());
        private final HubWaking waking;
        private boolean flushAsked;

        /** An element that came when consumers had gone or come meanwhile, so that there was no room for it after all. */
        private @Nullable T held;

        private boolean isFinishing;
        private boolean isWatching;
        private long watchedHead;
        private int watchedJoins;

        /** When the timer is due, if it is active. */
        private long dueNanos;

        Logic(BroadcastHubState<T> hub) {
            super(shape);
            this.hub = hub;
            this.core = hub.core();
            this.waking = new HubWaking(hub.arrivals(), hub.ring());
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            hub.runsHere(StageWakeUp.of(this, arrived -> arrivals()), StageWakeUp.of(this, asked -> shutdown()));
            if (hub.end() != null) {
                shutdown();
            } else if (wantsMore()) {
                pull(in);
            }
        }

        @Override
        public void onPush() throws Exception {
            take(grab(in));
            takeMore();
        }

        @Override
        public boolean wantsMore() {
            return held == null && core.hasRoom();
        }

        @Override
        @SuppressWarnings("unchecked")
        public void take(Object element) {
            if (!offer((T) element)) {
                held = (T) element;
            }
        }

        /** Takes what is there, and asks for more as long as there is room. */
        private void takeMore() throws Exception {
            boolean takes = !isClosed(in) && !hasBeenPulled(in);
            if (takes && wantsMore()) {
                BatchLease.takeAll(context.in(in), this);
            }
            if (takes && !isClosed(in) && wantsMore() && context.in(in).mayHaveBatchLater()) {
                later.ask();
            } else {
                pullIfRoom();
            }
        }

        private void goOn() throws Exception {
            takeMore();
            pullIfRoom();
        }

        private boolean offer(T element) {
            boolean isTaken = core.offer(element);
            context.postpone(waking);
            if (isTaken && core.hasWaiting()) {
                wakeOnceSettled();
            }
            if (isTaken && context.isTurnLong()) {
                waking.perform(); // the monitor, which does it else, may have been here before the element
            }
            return isTaken;
        }

        /**
         * Waking is put off until the graph rests, the buffer is full or the turn gets long, so that a burst wakes each consumer once.
         */
        private void wakeOnceSettled() {
            core.handOverWaiting(waking);
            if (core.isFull()) {
                waking.wakeDue();
            } else if (!flushAsked) {
                flushAsked = true;
                flush.run();
            }
        }

        private void flushed() {
            flushAsked = false;
            waking.wakeDue();
        }

        private void shutdown() {
            held = null; // nobody is there who could take it
            if (!isClosed(in)) {
                cancel(in);
            }
            hub.end(null);
            completeStage();
        }

        private void arrivals() throws Exception {
            hub.takeIn();
            T waits = held;
            if (waits != null && offer(waits)) {
                held = null;
            }
            if (isFinishing && held != null && !core.isLastWanted()) {
                held = null;
                core.dropUnread();
            }
            if (isFinishing && held == null) {
                hub.end(null);
                completeStage();
            } else {
                takeMore();
            }
        }

        private void pullIfRoom() {
            if (held == null && (isClosed(in) || hasBeenPulled(in))) {
                return;
            }
            if (held == null && core.hasRoom()) {
                pull(in);
            } else if (core.hasPatient() && core.isFull() && !isHeadWatched()) {
                watchHead();
            }
        }

        private boolean isHeadWatched() {
            return isWatching && core.head() == watchedHead && core.joins() == watchedJoins;
        }

        /** Times those that hold the hub back and may do so for so long only. A timer that is due earlier, for others, looks at them, too. */
        private void watchHead() {
            isWatching = true;
            watchedHead = core.head();
            watchedJoins = core.joins();
            long now = nowNanos();
            long nextNanos = Math.max(1, core.timeThoseAtHead(now));
            if (nextNanos != Long.MAX_VALUE && (!isTimerActive(PATIENCE) || now + nextNanos - dueNanos < 0)) {
                dueNanos = now + nextNanos;
                scheduleOnce(PATIENCE, Duration.ofNanos(nextNanos));
            }
        }

        @Override
        public void onTimer(Object key) throws Exception {
            isWatching = false;
            if (core.isFull()) {
                core.evictAtHead(nowNanos());
            }
            arrivals();
        }

        @Override
        public Map<String, Long> detail() {
            return core.detail();
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            isFinishing = true;
            setKeepGoing(true);
            arrivals();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            hub.end(failure);
            failStage(failure);
        }

        @Override
        public void postStop() {
            if (hub.end() == null) {
                hub.end(abruptEnd());
            }
        }
    }
}
