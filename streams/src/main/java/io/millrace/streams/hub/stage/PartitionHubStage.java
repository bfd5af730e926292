package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.hub.PartitionConsumers;
import io.millrace.streams.hub.PartitionHubSettings;
import io.millrace.streams.hub.Partitioner;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sink of a partition hub: has each element placed by the partitioner in the queue of one consumer.
 *
 * <p>What cannot be placed yet stands in {@code pending}, in order: the element that was pulled last, and before it those
 * that consumers who left had not taken. How full the queues are is accounted when an element goes in and when a consumer
 * announces, so it is never less than what is really queued, and room that is accounted is there.
 */
public final class PartitionHubStage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, PartitionHubState<T>> {
    private final Inlet<T> in = Inlet.create("partition-hub.in");
    private final SinkShape<T> shape = SinkShape.of(in);
    private final Supplier<? extends Partitioner<? super T>> partitioners;
    private final PartitionHubSettings settings;

    public PartitionHubStage(Supplier<? extends Partitioner<? super T>> partitioners, PartitionHubSettings settings) {
        this.partitioners = partitioners;
        this.settings = settings;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "partition-hub";
    }

    @Override
    public LogicAndValue<PartitionHubState<T>> createLogicAndValue(Attributes inherited) {
        PartitionHubState<T> hub = new PartitionHubState<>(settings);
        return new LogicAndValue<>(new Logic(hub), hub);
    }

    private final class Logic extends GraphStageLogic implements InHandler, PartitionConsumers {
        private final PartitionHubState<T> hub;
        private final Partitioner<? super T> partitioner = partitioners.get();
        private final List<PartitionConsumer<T>> live = new ArrayList<>();
        private final Deque<T> pending = new ArrayDeque<>();

        /** The consumer chosen for the first pending element, while it has no room. */
        private @Nullable PartitionConsumer<T> chosen;

        private long accounted;
        private int full;
        private long dropped;
        private boolean isStarted;
        private boolean isFinishing;

        Logic(PartitionHubState<T> hub) {
            super(shape);
            this.hub = hub;
            hub.arrivals().wakeHubWith(StageWakeUp.of(this, arrived -> arrivals()));
            setHandler(in, this);
        }

        @Override
        public Map<String, Long> detail() {
            return Map.of("consumers", (long) hub.consumerCount(), "buffered", accounted, "dropped", dropped);
        }

        @Override
        public int count() {
            return live.size();
        }

        @Override
        public long id(int index) {
            return live.get(index).id;
        }

        @Override
        public int queued(int index) {
            return live.get(index).queued();
        }

        @Override
        public boolean hasRoom(int index) {
            return live.get(index).hasRoom();
        }

        @Override
        public void onPush() {
            pending.add(grab(in));
            accounted++;
            goOn();
        }

        private void arrivals() {
            PartitionConsumer<T> consumer =
                    HubArrivals.earliestFirst(hub.arrivals().takeAll());
            while (consumer != null) {
                PartitionConsumer<T> following = consumer.nextArrival;
                consumer.nextArrival = null;
                arrived(consumer);
                consumer = following;
            }
            goOn();
        }

        private void arrived(PartitionConsumer<T> consumer) {
            consumer.unqueue();
            switch (consumer.state) {
                case NEW -> {
                    if (consumer.hasLeft()) {
                        consumer.state = PartitionConsumer.State.GONE;
                    } else {
                        admit(consumer);
                    }
                }
                case LIVE -> {
                    boolean hasLeft =
                            consumer.hasLeft(); // asked first: whoever has left takes no more of what is counted
                    account(consumer, consumer.queued());
                    if (hasLeft) {
                        dismiss(consumer);
                    }
                }
                case GONE -> {}
            }
        }

        private void admit(PartitionConsumer<T> consumer) {
            consumer.admit();
            live.add(consumer);
            isStarted |= live.size() >= settings.startAfterConsumers();
            consumer.wake.run(); // before it counts, so that whoever has seen it counted knows that it was woken
            hub.consumerCount(live.size());
        }

        /** Lets a consumer go; what it has not taken goes before everything that is pending. */
        private void dismiss(PartitionConsumer<T> consumer) {
            consumer.state = PartitionConsumer.State.GONE;
            live.remove(consumer);
            hub.consumerCount(live.size());
            Deque<T> left = new ArrayDeque<>();
            for (T element = consumer.poll(); element != null; element = consumer.poll()) {
                left.push(element);
            }
            left.forEach(pending::addFirst);
            if (!pending.isEmpty() && hub.isSealed()) {
                hub.sealed(false); // before anyone is admitted, who would take it that nothing is left
            }
            full -= consumer.isFull ? 1 : 0;
            chosen = null;
        }

        private void account(PartitionConsumer<T> consumer, int queued) {
            accounted += queued - consumer.accounted;
            consumer.accounted = queued;
            boolean isFull = queued >= settings.perConsumerBuffer();
            full += (isFull ? 1 : 0) - (consumer.isFull ? 1 : 0);
            consumer.isFull = isFull;
        }

        /** Places what is pending as far as there is room, then asks for more, or ends. */
        private void goOn() {
            boolean placed = true;
            while (placed && isStarted && !pending.isEmpty() && full < live.size()) {
                placed = place(pending.element());
            }
            if (hub.end() != null) {
                return;
            }
            if (isFinishing) {
                finishIfDone();
            } else if (hasRoom() && !hasBeenPulled(in)) {
                pull(in);
            }
        }

        private boolean hasRoom() {
            return isStarted && pending.isEmpty() && full < live.size() && accounted < settings.maxTotalBuffer();
        }

        /** Places the first pending element; false when its consumer has no room, or the hub has failed. */
        private boolean place(T element) {
            PartitionConsumer<T> consumer = chosen;
            if (consumer == null) {
                int index = choose(element);
                if (index >= live.size()) {
                    return false;
                }
                if (index < 0) {
                    pending.remove();
                    accounted--;
                    dropped++;
                    return true;
                }
                consumer = live.get(index);
            }
            if (!consumer.hasRoom()) {
                chosen = consumer;
                return false;
            }
            chosen = null;
            pending.remove();
            accounted--;
            consumer.offer(element);
            account(consumer, consumer.queued());
            return true;
        }

        /** What the partitioner answers; beyond the last index when that has failed the hub. */
        private int choose(T element) {
            try {
                int index = partitioner.choose(this, element);
                if (index >= live.size()) {
                    fail(new IndexOutOfBoundsException(
                            "the partitioner chose consumer " + index + " of " + live.size() + " for " + element));
                }
                return index;
            } catch (Throwable failure) {
                fail(failure);
                return Integer.MAX_VALUE;
            }
        }

        @Override
        public void onUpstreamFinish() {
            isFinishing = true;
            setKeepGoing(true);
            goOn();
        }

        /** Completes consumers as soon as nothing is pending, and the hub when the last of them is done. */
        private void finishIfDone() {
            boolean nothingLeft = pending.isEmpty();
            if (nothingLeft && live.isEmpty()) {
                end(null);
                completeStage();
            } else if (nothingLeft != hub.isSealed()) {
                hub.sealed(nothingLeft);
                live.forEach(consumer -> consumer.wake.run());
            }
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            fail(failure);
        }

        private void fail(Throwable failure) {
            end(failure);
            failStage(failure);
        }

        @Override
        public void postStop() {
            if (hub.end() == null) {
                end(abruptEnd());
            }
        }

        private void end(@Nullable Throwable failure) {
            PartitionConsumer<T> late = hub.end(failure);
            while (late != null) {
                PartitionConsumer<T> following = late.nextArrival;
                late.wake.run();
                late = following;
            }
            live.forEach(consumer -> consumer.wake.run());
            hub.consumerCount(0);
        }
    }
}
