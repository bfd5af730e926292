package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Done;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control stage of a topic: who may publish, who may subscribe, and how it closes. It sees no entries. */
final class TopicStage extends GraphStageWithMaterializedValue<ClosedShape, TopicStage.Running> {
    private static final Logger LOG = LoggerFactory.getLogger(TopicStage.class);

    private final TopicParts parts;

    TopicStage(TopicParts parts) {
        this.parts = parts;
    }

    /** How to reach the stage, and when it is over. */
    record Running(TopicMailbox mailbox, CompletionStage<Done> stopped) {}

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    @Override
    public String name() {
        return "topic";
    }

    @Override
    public LogicAndValue<Running> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, new Running(logic.self, logic.stopped));
    }

    private final class Logic extends GraphStageLogic implements SharedRate.Timers {
        private final TopicMailbox self = new TopicMailbox(
                parts.name(), parts.home(), parts.running().appending().figures(), asyncCallback(this::receive));
        private final CompletableFuture<Done> stopped = promise();
        private final List<CompletableFuture<Void>> closeReplies = new ArrayList<>(0);
        private @Nullable Producers producers;
        private @Nullable Subscriptions subscriptions;
        private @Nullable PolicyEffects policies;
        private boolean idle;
        private boolean closing;
        private boolean unloading;
        private boolean appendStopped;

        Logic() {
            super(ClosedShape.of());
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            producers = new Producers(parts, self, materializer());
            subscriptions = new Subscriptions(parts, self, materializer(), this);
            policies = new PolicyEffects(parts, self, new PolicyEffects.Clients(producers, subscriptions), this);
            parts.running()
                    .appendStopped()
                    .whenComplete((done, failure) -> self.tell(new TopicCommand.AppendStopped(failure)));
            sayWhetherIdle();
        }

        @Override
        public void postStop() {
            self.end();
            if (subscriptions != null) {
                subscriptions.abandon();
            }
            closeReplies.forEach(reply -> reply.complete(null));
        }

        @Override
        public long nanoTime() {
            return nowNanos();
        }

        @Override
        public void later(Runnable task, Duration time) {
            scheduleOnce(task, time);
        }

        @Override
        public void onTimer(Object key) {
            ((Runnable) key).run();
        }

        private void receive(TopicCommand command) {
            if (unloading && command instanceof TopicCommand.Request request) {
                parts.home().again(parts.name(), request);
            } else if (command == TopicCommand.Unload.UNLOAD) {
                unload();
            } else {
                handle(command);
            }
            sayWhetherIdle();
            // Whoever deletes the topic next must not find it in use by the subscription that is gone.
            subscriptions().answerRemoved();
            stopWhenDone();
        }

        private void handle(TopicCommand command) {
            if (command instanceof TopicCommand.AttachProducer attach) {
                policies().attach(attach, wanted -> attach(wanted, false));
            } else if (command instanceof TopicCommand.RivalAsked asked) {
                rivalAsked(asked);
            } else if (command instanceof TopicCommand.ProducerGone gone) {
                producers().remove(gone.producer());
            } else if (command instanceof TopicCommand.Subscribe subscribe) {
                policies().subscribe(new Joining(subscribe.request(), subscribe.rules(), subscribe.reply()));
            } else if (command instanceof TopicCommand.CreateSubscription create) {
                subscriptions().create(create);
            } else if (command instanceof TopicCommand.Unsubscribe unsubscribe) {
                subscriptions().unsubscribe(unsubscribe);
            } else if (command instanceof TopicCommand.SubscriptionEvent event) {
                subscriptions().onEvent(event);
                policies().countNext();
            } else if (command instanceof TopicCommand.Close close) {
                closeReplies.add(close.reply());
                close(CloseReason.TOPIC_CLOSED);
            } else if (command instanceof TopicCommand.AppendStopped ended) {
                appendStopped(ended.failure());
            } else {
                administer(command);
            }
        }

        private void administer(TopicCommand command) {
            if (command instanceof TopicCommand.Figures question) {
                var unused = producers()
                        .figures(parts.running().appending())
                        .thenCombine(subscriptions().consumption.figures(), TopicFigures::with)
                        .thenAccept(figures -> question.reply().complete(figures));
            } else if (command instanceof TopicCommand.DeleteSubscription delete) {
                subscriptions().delete(delete);
            } else if (command instanceof TopicCommand.SeekSubscription seek) {
                subscriptions().seek(seek);
            } else if (command instanceof TopicCommand.Pass pass) {
                subscriptions().pass(pass);
            } else if (command == TopicCommand.CloseUnused.CLOSE_UNUSED) {
                subscriptions().unused.makeRoom();
            } else if (command instanceof TopicCommand.CheckSubscription check) {
                subscriptions().check(check);
            } else if (command instanceof TopicCommand.SetProperties set) {
                subscriptions().setProperties(set);
            } else if (command instanceof TopicCommand.AskSubscription question) {
                subscriptions().ask(question);
            } else if (command instanceof TopicCommand.PolicyCommand policy) {
                policies().receive(policy, wanted -> attach(wanted, false));
            } else {
                throw new IllegalStateException("a topic does not know " + command);
            }
        }

        /** The directory asks it to unload: it closes if it is idle, else it says that it is in use. */
        private void unload() {
            if (closing) {
                return;
            }
            if (idle) {
                unloading = true;
                close(CloseReason.TOPIC_CLOSED);
            } else {
                parts.home().idle(parts.name(), self, false);
            }
        }

        private void sayWhetherIdle() {
            boolean now = !closing
                    && producers().isIdle()
                    && subscriptions().isIdle()
                    && !policies().isCounting();
            if (now != idle) {
                idle = now;
                parts.home().idle(parts.name(), self, now);
            }
        }

        private void rivalAsked(TopicCommand.RivalAsked asked) {
            if (!asked.lives()) {
                producers().remove(asked.rival());
            }
            TopicCommand.AttachProducer wanted = asked.wanted();
            if (wanted != null) {
                attach(wanted, true);
            }
        }

        private void attach(TopicCommand.AttachProducer attach, boolean rivalAsked) {
            try {
                if (closing) {
                    throw TopicMailbox.closed(parts.name());
                }
                producers().attach(attach, rivalAsked);
            } catch (BrokerException e) {
                attach.reply().completeExceptionally(e);
            }
        }

        private void appendStopped(@Nullable Throwable failure) {
            appendStopped = true;
            if (!closing) {
                LOG.error("topic {} closes: its append stage stopped", parts.name(), failure);
                close(CloseReason.FAILED);
            }
        }

        private void close(CloseReason reason) {
            if (!closing) {
                closing = true;
                self.end();
                policies().close();
                producers().closeAll(reason);
                subscriptions().closeAll();
            }
        }

        private void stopWhenDone() {
            if (closing && appendStopped && subscriptions().isEmpty()) {
                stopped.complete(Done.DONE);
                completeStage();
            }
        }

        private Producers producers() {
            return Objects.requireNonNull(producers, "producers");
        }

        private PolicyEffects policies() {
            return Objects.requireNonNull(policies, "policies");
        }

        private Subscriptions subscriptions() {
            return Objects.requireNonNull(subscriptions, "subscriptions");
        }
    }
}
