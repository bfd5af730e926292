package io.millrace.broker;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import io.millrace.broker.protocol.MessageFormat;
import io.millrace.broker.protocol.StoredMessage;
import io.millrace.broker.topic.ProducerHandle;
import io.millrace.broker.topic.ProducerLink;
import io.millrace.broker.topic.ProducerOptions;
import io.millrace.broker.topic.PublishRequest;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A producer as a flow: an element leaves when the message made of it is durable.
 *
 * <p><b>Threads</b>: the stage's island; the topic's islands call the {@link Link}. <b>Owned</b>: everything by the
 * stage's island, but {@code Link.durable} by the topic's append stage until its flush. <b>Shared</b>: nothing; all cross
 * over by callbacks. <b>States</b>: attaching -> attached -> stopped. <b>Proved by</b>: EmbeddedTopicTest.
 */
final class PublishFlow<T> extends GraphStage<FlowShape<T, T>> {
    /** Messages that may be on their way to the disk, or wait behind one that is. */
    private static final int MAX_IN_FLIGHT = 1_000;

    private final Inlet<T> in = Inlet.create("PublishFlow.in");
    private final Outlet<T> out = Outlet.create("PublishFlow.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);
    private final BrokerTopic topic;
    private final Function<? super T, Message> toMessage;

    PublishFlow(BrokerTopic topic, Function<? super T, Message> toMessage) {
        this.topic = topic;
        this.toMessage = toMessage;
    }

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "publish:" + topic.name();
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    /** An element and how large the message made of it is. */
    private record Published<T>(T element, int bytes) {}

    /** What became of the attempt to attach. */
    private record Attempt(
            @Nullable ProducerHandle handle, @Nullable Throwable failure) {
        static Throwable cause(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final AsyncCallback<Attempt> attempts = asyncCallback(this::attached);
        private final AsyncCallback<Integer> receipts = asyncCallback(this::durable);
        private final AsyncCallback<BrokerException> ends = asyncCallback(this::failStage);
        /** Published elements in order; the first {@code durable} of them may leave. */
        private final Queue<Published<T>> inFlight = new ArrayDeque<>();

        private long inFlightBytes;

        private int durable;
        private long nextSequenceId;
        private @Nullable ProducerHandle handle;
        private @Nullable MessageFormat format;

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void preStart() {
            Link link = new Link(receipts, ends);
            topic.open()
                    .thenCompose(opened -> opened.attach(link, ProducerOptions.unnamed()))
                    .whenComplete((attached, failure) -> attempts.invokeWithFeedback(new Attempt(attached, failure))
                            .whenComplete((done, stopped) -> {
                                if (stopped != null && attached != null) {
                                    attached.close();
                                }
                            }));
        }

        @Override
        public void onPush() {
            T element = grab(in);
            Message message = toMessage.apply(element);
            StoredMessage stored = new StoredMessage(
                    StoredMessage.Place.ALONE,
                    message.payload(),
                    message.key(),
                    message.properties(),
                    System.currentTimeMillis());
            if (handle == null || format == null) {
                throw new IllegalStateException("an element came before the producer was attached");
            }
            PublishRequest request = format.request(nextSequenceId++, stored, message.deliverAtMillis());
            int bytes = request.data().readableBytes();
            if (bytes > topic.maxEntryBytes()) {
                request.data().release();
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "a message of " + bytes + " bytes is larger than max-message-bytes allows, "
                                + topic.maxEntryBytes() + " with its key and properties: no client could receive it");
            }
            inFlight.add(new Published<>(element, bytes));
            inFlightBytes += bytes;
            handle.publish(request);
            pullIfRoom();
        }

        @Override
        public void onUpstreamFinish() {
            if (inFlight.isEmpty()) {
                completeStage();
            }
        }

        @Override
        public void onPull() {
            if (durable > 0) {
                durable--;
                Published<T> next = inFlight.remove();
                inFlightBytes -= next.bytes();
                push(out, next.element());
                if (isClosed(in) && inFlight.isEmpty()) {
                    completeStage();
                } else {
                    pullIfRoom();
                }
            }
        }

        @Override
        public void postStop() {
            if (handle != null) {
                handle.close();
            }
        }

        private void attached(Attempt attempt) {
            handle = attempt.handle();
            if (attempt.failure() != null) {
                failStage(Attempt.cause(attempt.failure()));
            } else if (handle != null) {
                format = new MessageFormat(handle.name());
                pullIfRoom();
            }
        }

        private void durable(int more) {
            durable += more;
            if (isAvailable(out)) {
                onPull();
            }
        }

        private void pullIfRoom() {
            if (handle != null && hasRoom() && !isClosed(in) && !hasBeenPulled(in)) {
                pull(in);
            }
        }

        private boolean hasRoom() {
            return inFlight.size() < MAX_IN_FLIGHT && inFlightBytes < BrokerTopic.MAX_HELD_BYTES;
        }
    }

    /** The topic's end: counts receipts and hands them over with each flush. */
    private static final class Link implements ProducerLink {
        private final AsyncCallback<Integer> receipts;
        private final AsyncCallback<BrokerException> ends;
        private int durable;

        Link(AsyncCallback<Integer> receipts, AsyncCallback<BrokerException> ends) {
            this.receipts = receipts;
            this.ends = ends;
        }

        @Override
        public void receipt(long sequenceId, long highestSequenceId, Position position) {
            durable++;
        }

        @Override
        public void failed(long sequenceId, BrokerException failure) {
            flush();
            ends.invoke(failure);
        }

        @Override
        public void flush() {
            if (durable > 0) {
                receipts.invoke(durable);
                durable = 0;
            }
        }

        @Override
        public void dropped(long sequenceId, BrokerException failure) {
            ends.invoke(failure);
        }

        @Override
        public void closed(CloseReason reason) {
            ends.invoke(new BrokerException(ErrorKind.SERVICE_NOT_READY, "the broker closed the producer: " + reason));
        }
    }
}
