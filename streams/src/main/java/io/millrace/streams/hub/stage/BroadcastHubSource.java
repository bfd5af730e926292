package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.ConsumerLaggedException;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A consumer of a broadcast hub: reads the hub's ring on its own and announces where it is. */
public final class BroadcastHubSource<T>
        extends GraphStageWithMaterializedValue<SourceShape<T>, CompletionStage<Done>> {
    private static final int MOST_AT_ONCE = 1024;

    private final Outlet<T> out = Outlet.create("broadcast-hub-source.out");
    private final SourceShape<T> shape = SourceShape.of(out);
    private final BroadcastHubState<T> hub;
    private final BroadcastConsumerSettings settings;

    public BroadcastHubSource(BroadcastHubState<T> hub, BroadcastConsumerSettings settings) {
        this.hub = hub;
        this.settings = settings;
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "broadcast-hub-source";
    }

    @Override
    public LogicAndValue<CompletionStage<Done>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.registered);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final StageContext context = StageContext.of(this);
        private final HubRing<T> ring = hub.ring();
        private final ElementBatch<T> elements = ring.run();
        private final CompletableFuture<Done> registered = promise();
        private final StageWakeUp wake = StageWakeUp.of(this, woken -> woken());
        private final HubConsumer consumer = new HubConsumer(settings, wake);
        private final LagPolicy policy = settings.lagPolicy();
        private final int announceEvery = Math.max(1, ring.size() / 2);
        private boolean isStarted;
        private boolean isWaiting;

        /**
         * Whether the hub waits, for so long at most, until this announces that it has had its first turn: that it has read what there was when
         * it joined, or asks for nothing then.
         */
        private boolean isAwaited = consumer.hasFirstTurn();

        private long firstEnd;

        private int joins;
        private long position;
        private long announced;
        private long knownTail;
        private long dropped;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            if (consumer.announce(0, HubConsumer.NEVER_STARTED) && !hub.arrive(consumer)) {
                startLate();
            }
        }

        @Override
        public void onPull() {
            if (isStarted && !isWaiting) {
                deliver();
            }
        }

        @Override
        public void postStop() {
            consumer.leaveNumber = hub.nextLeave();
            int flags = HubConsumer.LEFT | (isStarted ? 0 : HubConsumer.NEVER_STARTED);
            if (consumer.announce(position, flags)) {
                hub.arrive(consumer);
            }
            HubEnd end = hub.end();
            if (end != null) {
                leave(end);
            }
        }

        /** Leaves a hub that has ended, which may take no more news in. */
        private void leave(HubEnd end) {
            boolean hasJoined = isStarted || consumer.joins != 0;
            if (hasJoined && consumer.state != HubConsumer.State.GONE) {
                end.left(consumer, isStarted ? position : consumer.start);
            }
        }

        private void announce(int flags) {
            announced = position;
            isAwaited = false;
            if (consumer.announce(position, flags)) {
                hub.arrive(consumer);
            }
        }

        @Override
        public Map<String, Long> detail() {
            long at = position;
            long lag = isStarted ? Math.max(0, ring.tailAcquire() - at) : 0;
            return Map.of("position", at, "lag", lag, "dropped", dropped);
        }

        /** The hub has let this consumer join, has elements, has disconnected it or has ended. */
        private void woken() {
            isWaiting = false;
            HubEnd end = hub.end();
            if (end != null && end.failure() != null) {
                StageContext.of(this).passFailure(end.failure());
                return;
            }
            if (consumer.joins != joins) {
                join();
            } else if (!isStarted && end != null) {
                startLate();
                return;
            }
            if (!isStarted) {
                return;
            }
            HubConsumer.Eviction eviction = eviction();
            if (eviction != null && eviction.isDisconnected()) {
                StageContext.of(this).passFailure(new ConsumerLaggedException(position, ring.size()));
            } else if (end != null && isAtEnd(end, eviction)) {
                completeStage();
            } else {
                takeTurn();
            }
        }

        private void takeTurn() {
            if (isAvailable(out)) {
                deliver();
            } else if (isAwaited) {
                announce(0);
            }
        }

        private void join() {
            joins = consumer.joins;
            startAt(consumer.start);
        }

        private void startAt(long at) {
            if (isStarted) {
                dropped += at - position;
            }
            isStarted = true;
            position = at;
            announced = at;
            knownTail = at;
            firstEnd = ring.tailAcquire();
            registered.complete(Done.DONE);
        }

        private void startLate() {
            HubEnd end = hub.end();
            if (end == null) {
                throw new IllegalStateException("the hub refuses consumers but has not ended");
            }
            if (end.failure() != null) {
                StageContext.of(this).passFailure(end.failure());
                return;
            }
            startAt(end.start(settings.joinPosition(), ring.oldestAcquire()));
            if (position == end.tail()) {
                completeStage();
            } else if (isAvailable(out)) {
                deliver();
            }
        }

        /** How this stay in the wheel ended, or null; if a later one has ended already, that is taken up first. */
        private HubConsumer.@Nullable Eviction eviction() {
            HubConsumer.Eviction eviction = consumer.evictionSince(joins);
            if (eviction != null && eviction.joins() != joins) {
                join();
            }
            return eviction;
        }

        /** Whoever was disconnected has not seen all, also if it stands where it was cut off: it is woken to be told. */
        private boolean isAtEnd(HubEnd end, HubConsumer.@Nullable Eviction eviction) {
            if (eviction == null) {
                return position == end.tail();
            }
            return !eviction.isDisconnected() && position == eviction.end();
        }

        /** Delivers as long as downstream asks, there are elements, and others on this thread need not wait too long. */
        private void deliver() {
            long most = position + MOST_AT_ONCE;
            boolean goesOn = true;
            while (goesOn && isAvailable(out)) {
                goesOn = deliverSome(most);
            }
            if (goesOn) {
                stopped();
            }
        }

        /** Downstream asks for no more, perhaps for long: the hub is to know at least in which half of its buffer the consumer stands. */
        private void stopped() {
            boolean hasCrossed = ((position ^ announced) & -announceEvery) != 0;
            if (hasCrossed && announcesOnItsWay() && !isClosed(out)) {
                announce(0);
            }
        }

        private boolean announcesOnItsWay() {
            return policy != LagPolicy.DROP_OLDEST && !isAwaited;
        }

        private boolean deliverSome(long most) {
            HubConsumer.Eviction eviction = policy == LagPolicy.BACKPRESSURE ? null : eviction();
            if (eviction != null) {
                return deliverKept(eviction);
            }
            if (position == knownTail && ranDry()) {
                waitForMore();
                return false;
            }
            if (position - most >= 0 || context.isTurnLong()) {
                wake.run();
                return false;
            }
            if (policy == LagPolicy.BACKPRESSURE) {
                pushUntil(knownTail - most > 0 ? most : knownTail);
            } else {
                pushUnlessOverwritten();
            }
            return true;
        }

        private boolean ranDry() {
            knownTail = ring.tailAcquire();
            return position == knownTail;
        }

        private void waitForMore() {
            HubEnd end = hub.end();
            if (end == null) {
                isWaiting = true;
                announce(HubConsumer.WAITING);
            } else if (end.failure() != null) {
                StageContext.of(this).passFailure(end.failure());
            } else if (position == end.tail()) {
                completeStage();
            } else {
                wake.run();
            }
        }

        private void pushUntil(long end) {
            long nextAnnounced = announced + announceEvery;
            elements.set(position, end - nextAnnounced > 0 ? nextAnnounced : end);
            context.pushAll(out, elements);
            position = elements.position();
            if (position == nextAnnounced) {
                announce(0);
            }
            if (position == knownTail) {
                completeAtEnd();
            }
        }

        private void pushUnlessOverwritten() {
            T element = ring.elementAcquire(position);
            if (eviction() != null) {
                // The eviction came before anything was overwritten; with it, the slot says nothing certain.
                return;
            }
            if (policy == LagPolicy.DROP_OLDEST) {
                long oldest = ring.oldestAcquire();
                if (position - oldest < 0) {
                    dropped += oldest - position;
                    position = oldest;
                    knownTail = oldest;
                    return;
                }
            }
            position++;
            consumer.setLiveRelease(position);
            push(out, element);
            if (isAwaited ? position - firstEnd >= 0 : position - announced >= announceEvery && announcesOnItsWay()) {
                announce(0);
            }
            completeAtEnd();
        }

        private void completeAtEnd() {
            HubEnd end = hub.end();
            if (end != null && end.failure() == null && isAtEnd(end, eviction())) {
                completeStage();
            }
        }

        @SuppressWarnings("unchecked")
        private boolean deliverKept(HubConsumer.Eviction eviction) {
            if (eviction.isDisconnected()) {
                StageContext.of(this).passFailure(new ConsumerLaggedException(position, ring.size()));
                return false;
            }
            if (position != eviction.end()) {
                T element = (T) eviction.take(position);
                position++;
                push(out, element);
                completeAtEnd();
                return true;
            }
            HubEnd end = hub.end();
            if (end == null) {
                isWaiting = true;
                announce(HubConsumer.WAITING);
            } else if (end.failure() != null) {
                StageContext.of(this).passFailure(end.failure());
            } else {
                completeStage();
            }
            return false;
        }
    }
}
