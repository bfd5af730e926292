package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.LiveEntry;
import io.millrace.broker.inspect.KeptAnswer;
import io.millrace.broker.log.Position;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where another topic has its append stage: numbers what is published to a topic that stores nothing, answers it at once
 * and passes it on. Its materialized value says when every publish has been answered and the stage has stopped.
 */
final class LiveStage extends GraphStageWithMaterializedValue<FlowShape<Publish, LiveEntry>, TopicParts.Appending> {
    private final Inlet<Publish> in = Inlet.create("live.in");
    private final Outlet<LiveEntry> out = Outlet.create("live.out");
    private final FlowShape<Publish, LiveEntry> shape = FlowShape.of(in, out);

    @Override
    public FlowShape<Publish, LiveEntry> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "live";
    }

    @Override
    public LogicAndValue<TopicParts.Appending> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(
                logic,
                new TopicParts.Appending(logic.stopped, logic.policies, logic.fences, logic.questions, logic.figures));
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final CompletableFuture<Done> stopped = promise();
        private final AsyncCallback<NotUsed> turns = asyncCallback(requested -> flush());
        private final AsyncCallback<AppliedPolicies.Publishing> policies = asyncCallback(this::govern);
        private final AsyncCallback<PublishFence> fences = asyncCallback(PublishFence::close);
        private final PublishCounts all = new PublishCounts();
        private final KeptAnswer<TopicFigures> figures = new KeptAnswer<>();
        private final AsyncCallback<PublishQuestion> questions = asyncCallback(question -> question.answer(all));
        private final List<Outbox> unflushed = new ArrayList<>(0);
        /** What policies make of publishes; null while there are none. */
        private @Nullable PublishGovernor governor;

        private boolean turnRequested;
        private long entries;

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void onPush() {
            Publish next = grab(in).unlessFenced();
            Publish publish = governor == null ? next : governor.admit(next);
            BrokerException refusal = publish.refusal();
            if (refusal == null) {
                pass(publish);
            } else {
                publish.outbox().link.failed(publish.request().lastSequenceId(), refusal);
                pullUnlessHeld();
            }
            touch(publish.outbox());
        }

        private void pass(Publish publish) {
            figures.drop();
            PublishRequest request = publish.request();
            ByteBuf data = request.data();
            byte[] bytes = ByteBufUtil.getBytes(data);
            data.release();
            publish.outbox().counts.add(request.header().messageCount(), bytes.length);
            all.add(request.header().messageCount(), bytes.length);
            Position position = new Position(0, entries++);
            publish.outbox().link.receipt(request.sequenceId(), request.highestSequenceId(), position);
            push(out, new LiveEntry(position, request.header(), bytes));
        }

        /** The answers of a run of publishes are written together. */
        private void touch(Outbox outbox) {
            if (!outbox.unflushed) {
                outbox.unflushed = true;
                unflushed.add(outbox);
            }
            if (!turnRequested) {
                turnRequested = true;
                turns.invoke(NotUsed.NOT_USED);
            }
        }

        private void flush() {
            turnRequested = false;
            for (Outbox outbox : unflushed) {
                outbox.unflushed = false;
                outbox.link.flush();
            }
            unflushed.clear();
        }

        @Override
        public void onPull() {
            pullUnlessHeld();
        }

        /** Publishes may have to wait for their rate. */
        private void pullUnlessHeld() {
            long waitNanos = governor == null ? 0 : governor.waitNanos(nowNanos());
            if (waitNanos == 0 && isAvailable(out) && !isClosed(in)) {
                tryPull(in);
            } else if (waitNanos > 0 && !isTimerActive(policies)) {
                scheduleOnce(policies, Duration.ofNanos(waitNanos));
            }
        }

        @Override
        public void onTimer(Object key) {
            pullUnlessHeld();
        }

        private void govern(AppliedPolicies.Publishing wanted) {
            cancelTimer(policies);
            governor = PublishGovernor.of(wanted, nowNanos());
            pullUnlessHeld();
        }

        @Override
        public void onUpstreamFinish() {
            flush();
            stopped.complete(Done.DONE);
            completeStage();
        }

        @Override
        public void postStop() {
            flush();
        }
    }
}
