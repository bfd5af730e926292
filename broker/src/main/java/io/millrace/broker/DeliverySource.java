package io.millrace.broker;

import io.millrace.broker.Delivery.Settlement;
import io.millrace.broker.dispatch.AckRequest;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Entry;
import io.millrace.broker.protocol.DeliveryWindow;
import io.millrace.broker.protocol.MessageFormat;
import io.millrace.broker.protocol.StoredMessage;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.SubscribeRequest;
import io.millrace.broker.topic.SubscriptionHandle;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a subscription as a source. When its stream ends, it gives back the messages it did not emit, and takes no
 * more. It stays attached until those it emitted are settled, so that the last acknowledgements still count. Where one
 * consumer gets all in order, a message that is given back comes again with all behind it, as with Pulsar's clients.
 *
 * <p><b>Threads</b>: the stage's island; the dispatcher's island calls the {@link Link}; anyone settles deliveries.
 * <br><b>Owned</b>: everything by the stage's island, but {@code Link.arrived} by the dispatcher's until its flush.
 * <br><b>Shared</b>: {@code Link.isOver}, volatile, set by the stage; {@code Link.window}, by both; all else crosses over by callbacks. <b>States</b>: attaching -> attached -> over, when
 * downstream is gone -> stopped. <b>Proved by</b>: EmbeddedTopicTest.
 */
final class DeliverySource extends GraphStage<SourceShape<Delivery>> {
    private final Outlet<Delivery> out = Outlet.create("DeliverySource.out");
    private final SourceShape<Delivery> shape = SourceShape.of(out);
    private final BrokerTopic topic;
    private final String subscription;
    private final NewSubscription ifNew;
    private final SourceOptions options;

    DeliverySource(BrokerTopic topic, String subscription, NewSubscription ifNew, SourceOptions options) {
        this.topic = topic;
        this.subscription = subscription;
        this.ifNew = ifNew;
        this.options = options;
    }

    @Override
    public SourceShape<Delivery> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "source:" + subscription;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    /** An entry on its way from the dispatcher, sent since so many rewinds. */
    private record Arrived(
            Entry entry, int redeliveryCount, @Nullable BitSet unacked, long epoch) {}

    /** What became of the attempt to attach. */
    private record Attempt(
            @Nullable SubscriptionHandle handle, @Nullable Throwable failure) {
        static Throwable cause(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final AsyncCallback<Attempt> attempts = asyncCallback(this::attached);
        private final AsyncCallback<List<Arrived>> arrivals = asyncCallback(this::arrived);
        private final AsyncCallback<Settlement> settlements = asyncCallback(this::settle);
        private final AsyncCallback<Settlement> receipts = asyncCallback(this::receipted);
        private final AsyncCallback<BrokerException> ends = asyncCallback(this::failStage);
        private final Link link = new Link(arrivals, ends);
        private final DeliveryWindow window = link.window;
        private final Queue<Delivery> buffer = new ArrayDeque<>();
        /** Emitted and neither acknowledged nor given back. */
        private final Set<Delivery> unsettled = new HashSet<>();
        /** Asked for and not completed. */
        private final Set<Settlement> unanswered = new HashSet<>();

        private @Nullable SubscriptionHandle handle;
        /** Ends the registration at the dispatcher, which lives longer and would keep this object in memory. */
        private Runnable stopWatching = () -> {};

        private int taken;
        /** How often all that was not acknowledged was asked for again. */
        private long epoch;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            SubscribeRequest request = new SubscribeRequest(subscription, true, ifNew, link, options.consumer());
            topic.open()
                    .thenCompose(opened -> opened.subscribe(request))
                    .whenComplete((attached, failure) -> attempts.invokeWithFeedback(new Attempt(attached, failure))
                            .whenComplete((done, stopped) -> {
                                if (stopped != null && attached != null) {
                                    attached.tell(new DispatcherCommand.Detach(link));
                                }
                            }));
        }

        @Override
        public void onPull() {
            Delivery next = buffer.poll();
            if (next != null) {
                unsettled.add(next);
                push(out, next);
                taken++;
                free(next.bytes());
                askForMore();
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            setKeepGoing(true);
            link.isOver = true;
            if (!isInOrder()) {
                buffer.forEach(this::giveBack);
            }
            buffer.clear();
            scheduleOnce(this, options.settleTimeout());
            stopWhenSettled();
        }

        @Override
        public void onTimer(Object key) {
            completeStage();
            setKeepGoing(false);
        }

        @Override
        public void postStop() {
            stopWatching.run();
            tell(new DispatcherCommand.Detach(link));
            if (handle != null) {
                leaveTo(handle.dispatcher(), List.copyOf(unanswered), ended());
            }
        }

        private void attached(Attempt attempt) {
            handle = attempt.handle();
            if (attempt.failure() != null) {
                failStage(Attempt.cause(attempt.failure()));
            } else if (handle != null) {
                stopWatching = handle.dispatcher().onTermination(() -> ends.invoke(ended()));
                tell(new DispatcherCommand.Flow(link, options.bufferMessages()));
                stopWhenSettled();
            }
        }

        private void arrived(List<Arrived> entries) {
            try {
                for (Arrived each : entries) {
                    open(each);
                    free(each.entry().data().readableBytes());
                }
            } finally {
                entries.forEach(arrived -> arrived.entry().release());
            }
            if (isAvailable(out)) {
                onPull();
            }
        }

        private void open(Arrived arrived) {
            Entry entry = arrived.entry();
            boolean isStale = arrived.epoch() != epoch;
            for (StoredMessage message : MessageFormat.messages(entry.data())) {
                if (arrived.unacked() == null
                        || arrived.unacked().get(message.place().index())) {
                    Delivery delivery = new Delivery(entry.position(), message, arrived.redeliveryCount(), settlements);
                    take(delivery, isStale);
                }
            }
            askForMore();
        }

        private void take(Delivery delivery, boolean isStale) {
            if (!isClosed(out) && !isStale) {
                buffer.add(delivery);
                window.handed(delivery.bytes());
            } else if (!isInOrder()) {
                giveBack(delivery);
            } else if (isStale) {
                taken++;
            }
        }

        private void settle(Settlement settlement) {
            Delivery delivery = settlement.delivery();
            unsettled.remove(delivery);
            CompletableFuture<Void> receipt = settlement.receipt();
            if (receipt == null && !isInOrder()) {
                giveBack(delivery);
            } else if (receipt == null) {
                rewind();
            } else {
                AckRequest request = new AckRequest(AckRequest.Kind.INDIVIDUAL, List.of(delivery.acked()));
                unanswered.add(settlement);
                CompletionStage<Void> stage = receipt;
                stage.whenComplete((done, failure) -> receipts.invoke(settlement));
                tell(new DispatcherCommand.Ack(link, request, receipt));
            }
            stopWhenSettled();
        }

        private void receipted(Settlement settlement) {
            unanswered.remove(settlement);
            stopWhenSettled();
        }

        /** Asks in halves of the buffer, as clients do. */
        private void askForMore() {
            if (taken * 2 >= options.bufferMessages() && !isClosed(out)) {
                tell(new DispatcherCommand.Flow(link, taken));
                taken = 0;
            }
        }

        /** Holds so many bytes less; a dispatcher that found no room is told of it. */
        private void free(long bytes) {
            window.written(bytes);
            if (window.reopened()) {
                tell(new DispatcherCommand.Writable());
            }
        }

        private boolean isInOrder() {
            return options.consumer().type().singleActive();
        }

        /** All that is not acknowledged comes again, in order: what is here or under way comes with it. */
        private void rewind() {
            if (!isClosed(out)) {
                epoch++;
                taken += buffer.size();
                free(buffer.stream().mapToLong(Delivery::bytes).sum());
                buffer.clear();
                tell(new DispatcherCommand.Redeliver(link, List.of(), epoch));
                askForMore();
            }
        }

        private void giveBack(Delivery delivery) {
            tell(new DispatcherCommand.Redeliver(link, List.of(delivery.position())));
        }

        private void stopWhenSettled() {
            if (isClosed(out) && unsettled.isEmpty() && unanswered.isEmpty()) {
                completeStage();
                setKeepGoing(false);
            }
        }

        private void tell(DispatcherCommand command) {
            if (handle != null) {
                handle.tell(command);
            }
        }

        private BrokerException ended() {
            return new BrokerException(
                    ErrorKind.SERVICE_NOT_READY, "subscription " + subscription + " of " + topic.name() + " ended");
        }
    }

    /** The dispatcher still answers what was asked for, unless it ends before. */
    private static void leaveTo(StageActorRef<?> dispatcher, List<Settlement> asked, BrokerException ended) {
        CompletableFuture<?>[] receipts =
                asked.stream().map(Settlement::receipt).filter(Objects::nonNull).toArray(CompletableFuture<?>[]::new);
        if (receipts.length > 0) {
            Runnable stopWatching = dispatcher.onTermination(() -> {
                for (CompletableFuture<?> receipt : receipts) {
                    receipt.completeExceptionally(ended);
                }
            });
            CompletionStage<Void> all = CompletableFuture.allOf(receipts);
            all.whenComplete((done, failure) -> stopWatching.run());
        }
    }

    /** The dispatcher's end: gathers what it delivers and hands it over with each flush. */
    private static final class Link implements ConsumerLink {
        private final AsyncCallback<List<Arrived>> arrivals;
        private final AsyncCallback<BrokerException> ends;
        /** What is on its way, or waits for downstream; closed for good when the stream has ended. */
        private final DeliveryWindow window = new DeliveryWindow(BrokerTopic.MAX_HELD_BYTES, () -> !this.isOver);

        private List<Arrived> arrived = new ArrayList<>();
        private long epoch;
        /** Whether the stream has ended, so that what is sent would only come back. */
        private volatile boolean isOver;

        Link(AsyncCallback<List<Arrived>> arrivals, AsyncCallback<BrokerException> ends) {
            this.arrivals = arrivals;
            this.ends = ends;
        }

        @Override
        public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
            window.handed(entry.data().readableBytes());
            arrived.add(new Arrived(entry, redeliveryCount, ackSet == null ? null : BitSet.valueOf(ackSet), epoch));
        }

        @Override
        public void rewound(long consumerEpoch) {
            epoch = consumerEpoch;
        }

        @Override
        public void flush() {
            List<Arrived> handed = arrived;
            arrived = new ArrayList<>();
            arrivals.invokeWithFeedback(handed).whenComplete((done, failure) -> {
                if (failure instanceof StageStoppedException) {
                    handed.forEach(each -> each.entry().release());
                }
            });
        }

        @Override
        public void activeChanged(boolean active) {
            // A passive one simply gets nothing.
        }

        @Override
        public void closed(CloseReason reason) {
            ends.invoke(new BrokerException(ErrorKind.SERVICE_NOT_READY, "the broker closed the source: " + reason));
        }

        @Override
        public boolean isWritable() {
            return window.isWritable();
        }

        @Override
        public String describe() {
            return "a source in the broker's process";
        }
    }
}
