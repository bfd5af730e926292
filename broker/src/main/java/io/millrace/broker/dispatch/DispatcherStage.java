package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Acknowledged;
import io.millrace.broker.dispatch.DispatcherCommand.Apply;
import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.CloseUnused;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Flow;
import io.millrace.broker.dispatch.DispatcherCommand.Locate;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.dispatch.DispatcherCommand.Stats;
import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import io.millrace.broker.dispatch.DispatcherCommand.Writable;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorLogListener;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.SubSinkInlet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The stage actor of one subscription: it receives commands and results, and decides when to take a turn.
 *
 * <p>Its mailbox has no limit of its own: a command without room would be a lost acknowledgement, a lost detach, or an event
 * loop that waits. The senders count instead. A session stops reading at {@code max-unanswered-commands}, which includes
 * commands that get no answer (see DeliveryCommands). A source in this process sends only for what was delivered to it.
 * FloodTest checks the sessions.
 */
final class DispatcherStage extends GraphStageWithMaterializedValue<ClosedShape, StageActorRef<DispatcherCommand>> {
    private static final BroadcastConsumerSettings TAIL_SETTINGS =
            BroadcastConsumerSettings.defaults().withLagPolicy(LagPolicy.DISCONNECT);

    private final SubscriptionSettings settings;
    private final SubscriptionStore store;
    private final BroadcastHub<Position> hub;
    private final DispatcherWatcher watcher;

    DispatcherStage(
            SubscriptionSettings settings,
            SubscriptionStore store,
            BroadcastHub<Position> hub,
            DispatcherWatcher watcher) {
        this.settings = settings;
        this.store = store;
        this.hub = hub;
        this.watcher = watcher;
    }

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    @Override
    public String name() {
        return "dispatcher:" + settings.name();
    }

    @Override
    public LogicAndValue<StageActorRef<DispatcherCommand>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class Logic extends GraphStageLogic implements DispatcherContext {
        final StageActorRef<DispatcherCommand> self = stageActor(this::receive);

        private final AsyncCallback<NotUsed> turns = asyncCallback(requested -> turn());
        private final AsyncCallback<Runnable> tasks = asyncCallback(this::run);
        private final SubscriptionDispatcher subscription =
                new SubscriptionDispatcher(settings, store, this, watcher::deserted);
        private final Seeks seeks = new Seeks(subscription, store.log(), this, this::receive);
        private final Ending ending = new Ending(subscription, this);
        private boolean turnRequested;

        Logic() {
            super(ClosedShape.of());
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            CursorLog cursorLog = store.cursorLog();
            if (cursorLog != null) {
                cursorLog.listener(new FromLog());
            }
        }

        @Override
        public void postStop() {
            CursorLog cursorLog = store.cursorLog();
            if (cursorLog != null) {
                cursorLog.listener(null);
            }
            watcher.ending(subscription.consumers.sent());
            ending.abandon();
            seeks.abandon();
            subscription.memory.giveBack();
        }

        private void receive(DispatcherCommand command) {
            if (!(command instanceof Stats)) {
                watcher.changing();
            }
            if (ending.isEnding()) {
                watcher.ending(subscription.consumers.sent());
                new Refusal(settings.name()).answer(command);
            } else if (command instanceof Ack ack) {
                subscription.ack(ack);
            } else if (command instanceof Flow flow) {
                subscription.flow(flow.link(), flow.permits());
            } else if (command instanceof Writable) {
                requestTurn();
            } else if (command instanceof Redeliver redeliver) {
                subscription.redeliver(redeliver);
            } else {
                receiveSeldom(command);
            }
        }

        private void receiveSeldom(DispatcherCommand command) {
            if (command instanceof Attach || command instanceof Seek || command instanceof Skip) {
                receiveInOrder(command);
            } else if (command instanceof Detach detach) {
                subscription.detach(detach.link());
                ending.endIfAbandoned();
            } else if (command instanceof Locate locate) {
                locate.reply().complete(subscription.unacked(locate.count()));
            } else if (command instanceof Acknowledged acknowledged) {
                acknowledged.reply().complete(subscription.acknowledged());
            } else if (command instanceof Unsubscribe unsubscribe) {
                ending.unsubscribe(unsubscribe);
            } else if (command instanceof Stats stats) {
                stats.reply().complete(subscription.stats());
            } else if (command instanceof Apply apply) {
                subscription.apply(apply);
            } else if (command instanceof Close close) {
                ending.close(close.reply());
            } else if (command instanceof CloseUnused close) {
                closeUnused(close);
            } else if (command instanceof Inspect inspect) {
                inspect.reply().complete(Invariants.violations(subscription, store.log()));
            } else {
                throw new IllegalStateException("a dispatcher does not know " + command);
            }
        }

        /** What a seek that is under way must not be mixed up with. */
        private void receiveInOrder(DispatcherCommand command) {
            if (seeks.keepsWaiting(command)) {
                return;
            }
            if (command instanceof Attach attach) {
                attach(attach);
            } else if (command instanceof Seek seek) {
                seeks.start(seek, ending::afterSeek);
            } else if (command instanceof Skip skip) {
                skip(skip);
            }
        }

        private void closeUnused(CloseUnused close) {
            if (seeks.isUnderWay() || !subscription.isInLog(close.isRoomShort())) {
                close.goesOn().complete(null);
            } else {
                ending.close(new CompletableFuture<>());
            }
        }

        private void skip(Skip skip) {
            if (skip.target() instanceof SkipTarget.Expired expired) {
                subscription.expire(expired.upTo(), skip.reply());
            } else if (skip.target() instanceof SkipTarget.UpTo target) {
                subscription.skip(target.position(), skip.reply());
            } else if (skip.target() instanceof SkipTarget.Entries first) {
                subscription.skip(subscription.unacked(first.count()), skip.reply());
            }
        }

        private void attach(Attach attach) {
            subscription.members.attach(attach, () -> attachAtLast(attach));
            ending.endIfAbandoned();
        }

        private void attachAtLast(Attach attach) {
            if (seeks.keepsWaiting(attach)) {
                return;
            }
            ending.endIfAbandoned(); // one that is not durable ends with the consumer that was found dead
            if (ending.isEnding()) {
                new Refusal(settings.name()).answer(attach);
            } else {
                subscription.members.attachAtLast(attach);
                ending.endIfAbandoned();
            }
        }

        private void run(Runnable task) {
            watcher.changing();
            task.run();
        }

        private void turn() {
            watcher.changing();
            turnRequested = false;
            subscription.turn(!ending.isEnding() && !seeks.isSearching());
            ending.finishIfSettled();
        }

        @Override
        public void requestTurn() {
            if (!turnRequested) {
                turnRequested = true;
                turns.invoke(NotUsed.NOT_USED);
            }
        }

        @Override
        public void whenRead(CompletionStage<List<Entry>> read, Arrival arrival) {
            read.whenComplete((entries, failure) -> {
                ReadResult result = new ReadResult(arrival, entries, failure);
                tasks.invokeWithFeedback(result::arrive).whenComplete((done, gone) -> {
                    if (gone != null) {
                        result.releaseUnclaimed();
                    }
                });
            });
        }

        @Override
        public void later(Runnable task, Duration delay) {
            scheduleOnce(task, delay);
        }

        @Override
        public long nanoTime() {
            return nowNanos();
        }

        @Override
        public void onTimer(Object key) {
            run((Runnable) key);
        }

        @Override
        public <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome) {
            future.whenComplete((value, failure) -> tasks.invoke(() -> outcome.done(value, failure)));
        }

        @Override
        public SubSinkInlet<Position> openTailInlet() {
            return subSinkInlet("tail");
        }

        @Override
        public CompletionStage<?> runTailInto(SubSinkInlet<Position> inlet) {
            return hub.sourceWithRegistration(TAIL_SETTINGS)
                    .conflate((older, newer) -> newer)
                    .toMat(inlet.sink(), Keep.left())
                    .named("tail:" + settings.name())
                    .run(materializer());
        }

        @Override
        public void end() {
            completeStage();
            setKeepGoing(false);
        }

        private final class FromLog implements CursorLogListener {
            @Override
            public void durable(long upToNumber) {
                tasks.invoke(() -> {
                    subscription.writer.durable(upToNumber);
                    ending.finishIfSettled();
                });
            }

            @Override
            public void failed(Throwable cause) {
                tasks.invoke(() -> {
                    subscription.writer.failed(cause);
                    ending.finishIfSettled();
                });
            }
        }
    }
}
