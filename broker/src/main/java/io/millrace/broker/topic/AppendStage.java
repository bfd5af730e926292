package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.KeptAnswer;
import io.millrace.broker.log.LogUnavailableException;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.log.TopicLogListener;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of a topic's log. Publishes get their positions at once and their receipts once the journal says they
 * are durable, in the order they came; a refused one waits its turn behind those. What is durable is announced
 * downstream. Its materialized value says when every publish has been answered and the stage has stopped.
 */
final class AppendStage extends GraphStageWithMaterializedValue<FlowShape<Publish, Position>, TopicParts.Appending> {
    private static final int MAX_UNANNOUNCED_ENTRIES = 4_096;

    private final Inlet<Publish> in = Inlet.create("append.in");
    private final Outlet<Position> out = Outlet.create("append.out");
    private final FlowShape<Publish, Position> shape = FlowShape.of(in, out);
    private final TopicLog log;

    AppendStage(TopicLog log) {
        this.log = log;
    }

    @Override
    public FlowShape<Publish, Position> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "append";
    }

    @Override
    public LogicAndValue<TopicParts.Appending> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(
                logic,
                new TopicParts.Appending(logic.stopped, logic.policies, logic.fences, logic.questions, logic.figures));
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler, TopicLogListener {
        private final CompletableFuture<Done> stopped = promise();
        private final AsyncCallback<Runnable> fromJournal = asyncCallback(this::run);
        private final AsyncCallback<AppliedPolicies.Publishing> policies = asyncCallback(this::govern);
        private final AsyncCallback<PublishFence> fences = asyncCallback(PublishFence::close);
        private final PublishCounts all = new PublishCounts();
        private final KeptAnswer<TopicFigures> figures = new KeptAnswer<>();
        private final AsyncCallback<PublishQuestion> questions = asyncCallback(question -> question.answer(all));
        private final PublishReceipts receipts = new PublishReceipts();
        private final ArrayDeque<Position> unannounced = new ArrayDeque<>(0);
        /** What policies make of publishes; null while there are none. */
        private @Nullable PublishGovernor governor;

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void preStart() {
            log.listener(this);
            pull(in);
        }

        @Override
        public void postStop() {
            receipts.failAll(new BrokerException(ErrorKind.SERVICE_NOT_READY, "the topic stopped: publish again"));
        }

        @Override
        public void onPush() {
            Publish next = grab(in).unlessFenced();
            Publish publish = governor == null ? next : governor.admit(next);
            if (publish.refusal() == null) {
                append(publish);
            } else {
                receipts.refused(publish);
            }
            pullUnlessCrowded();
        }

        @Override
        public void onPull() {
            Position next = unannounced.poll();
            if (next != null) {
                push(out, next);
                pullUnlessCrowded();
            }
        }

        @Override
        public void onUpstreamFinish() {
            completeWhenAnswered();
        }

        private void run(Runnable task) {
            figures.drop();
            task.run();
        }

        @Override
        public void durable(Position upTo) {
            fromJournal.invoke(() -> {
                receipts.settle(upTo, this::announce);
                completeWhenAnswered();
            });
        }

        @Override
        public void refused(Position from, Throwable cause) {
            fromJournal.invoke(() -> {
                receipts.refusedFrom(from, unavailable(cause));
                completeWhenAnswered();
            });
        }

        @Override
        public void failed(Throwable failure) {
            fromJournal.invoke(() -> {
                receipts.failAll(unavailable(failure));
                completeWhenAnswered();
            });
        }

        private void append(Publish publish) {
            figures.drop();
            PublishRequest request = publish.request();
            int messages = request.header().messageCount();
            int bytes = request.data().readableBytes();
            try {
                receipts.awaitDurable(publish, log.append(request.header(), request.data()));
                publish.outbox().counts.add(messages, bytes);
                all.add(messages, bytes);
            } catch (LogUnavailableException e) {
                receipts.refused(publish.withRefusal(unavailable(e)));
            }
        }

        private void announce(Position position) {
            if (unannounced.isEmpty() && isAvailable(out)) {
                push(out, position);
            } else {
                unannounced.add(position);
            }
        }

        /** The tail hub disconnects consumers that lag, so the queue is empty after the hub's next turn. */
        private void pullUnlessCrowded() {
            if (unannounced.size() < MAX_UNANNOUNCED_ENTRIES && !isClosed(in) && !isHeld()) {
                tryPull(in);
            }
        }

        /** Whether publishes have to wait for their rate. */
        private boolean isHeld() {
            long waitNanos = governor == null ? 0 : governor.waitNanos(nowNanos());
            if (waitNanos > 0 && !isTimerActive(policies)) {
                scheduleOnce(policies, Duration.ofNanos(waitNanos));
            }
            return waitNanos > 0;
        }

        @Override
        public void onTimer(Object key) {
            pullUnlessCrowded();
        }

        private void govern(AppliedPolicies.Publishing wanted) {
            cancelTimer(policies);
            governor = PublishGovernor.of(wanted, nowNanos());
            pullUnlessCrowded();
        }

        private void completeWhenAnswered() {
            if (isClosed(in) && receipts.isEmpty()) {
                stopped.complete(Done.DONE);
                completeStage();
            }
        }

        private BrokerException unavailable(Throwable failure) {
            return new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR,
                    "topic " + log.name() + " takes no writes now: " + failure.getMessage(),
                    failure);
        }
    }
}
