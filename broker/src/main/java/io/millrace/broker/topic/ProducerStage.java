package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The source of what one producer publishes. Its mailbox and its queue have no limit of their own: a publish without room
 * would get no answer. Together they hold messages without a receipt, and the session stops reading at
 * {@code max-pending-publishes-per-connection} or their bytes. It lives until the session closes it, whatever happens
 * downstream: no accepted publish is lost, and every publish is answered.
 */
final class ProducerStage
        extends GraphStageWithMaterializedValue<SourceShape<Publish>, StageActorRef<ProducerCommand>> {
    private final Outlet<Publish> out = Outlet.create("producer.out");
    private final SourceShape<Publish> shape = SourceShape.of(out);
    private final String producer;
    private final Outbox outbox;

    ProducerStage(String producer, Outbox outbox) {
        this.producer = producer;
        this.outbox = outbox;
    }

    @Override
    public SourceShape<Publish> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "producer:" + producer;
    }

    @Override
    public LogicAndValue<StageActorRef<ProducerCommand>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final StageActorRef<ProducerCommand> self = stageActor(this::receive);
        private final ArrayDeque<Publish> waiting = new ArrayDeque<>(0);
        private @Nullable BrokerException refusal;
        private boolean closing;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
        }

        @Override
        public void onPull() {
            Publish next = waiting.poll();
            if (next != null) {
                push(out, next);
                completeWhenDrained();
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            answerWaiting();
            completeWhenDrained();
        }

        @Override
        public void postStop() {
            answerWaiting();
        }

        private void receive(ProducerCommand command) {
            if (command instanceof PublishRequest request) {
                accept(new Publish(outbox, request, null));
            } else if (command instanceof ProducerCommand.Refuse refuse) {
                refusal = refuse.failure();
            } else {
                closing = true;
                completeWhenDrained();
            }
        }

        private void accept(Publish publish) {
            Publish admitted = refusal == null ? publish : publish.refused(refusal);
            if (isClosed(out)) {
                drop(admitted);
            } else if (waiting.isEmpty() && isAvailable(out)) {
                push(out, admitted);
            } else {
                waiting.add(admitted);
            }
        }

        private void answerWaiting() {
            waiting.forEach(this::drop);
            waiting.clear();
        }

        private void drop(Publish publish) {
            BrokerException failure = publish.refusal();
            if (failure == null) {
                publish.request().data().release();
                failure = new BrokerException(
                        ErrorKind.SERVICE_NOT_READY,
                        "the topic stopped before it took what " + producer + " published");
            }
            outbox.link.dropped(publish.request().lastSequenceId(), failure);
        }

        private void completeWhenDrained() {
            if (closing && waiting.isEmpty()) {
                completeStage();
            }
        }
    }
}
