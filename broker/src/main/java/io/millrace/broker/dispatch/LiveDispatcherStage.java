package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Acknowledged;
import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Flow;
import io.millrace.broker.dispatch.DispatcherCommand.Locate;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.dispatch.DispatcherCommand.Stats;
import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import io.millrace.broker.dispatch.DispatcherCommand.Writable;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stage actor of one subscription of a topic that stores nothing. It takes every entry at once, so it never holds up
 * the topic; what a consumer does not take is dropped here.
 */
final class LiveDispatcherStage
        extends GraphStageWithMaterializedValue<SinkShape<LiveEntry>, LiveDispatcherStage.Running> {
    private final Inlet<LiveEntry> in = Inlet.create("live.in");
    private final SinkShape<LiveEntry> shape = SinkShape.of(in);
    private final SubscriptionSettings settings;
    private final InstantSource clock;
    private final DispatcherWatcher watcher;

    /**
     * How to reach the stage.
     *
     * @param connected is to be told once every entry reaches it: until then consumers wait for the answer that they are there
     */
    record Running(StageActorRef<DispatcherCommand> commands, AsyncCallback<NotUsed> connected) {}

    LiveDispatcherStage(SubscriptionSettings settings, InstantSource clock, DispatcherWatcher watcher) {
        this.settings = settings;
        this.clock = clock;
        this.watcher = watcher;
    }

    @Override
    public SinkShape<LiveEntry> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "dispatcher:" + settings.name();
    }

    @Override
    public LogicAndValue<Running> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, new Running(logic.self, logic.connected));
    }

    private final class Logic extends GraphStageLogic implements InHandler, IslandContext {
        final StageActorRef<DispatcherCommand> self = stageActor(this::receive);

        final AsyncCallback<NotUsed> connected = asyncCallback(told -> connected());
        /** Consumers that came before the first entry could; null once it may. */
        private @Nullable List<Attach> early = new ArrayList<>(0);

        private final AsyncCallback<NotUsed> turns = asyncCallback(requested -> turn());
        private final AsyncCallback<Runnable> tasks = asyncCallback(this::run);
        private final LiveDispatcher subscription =
                new LiveDispatcher(settings, new RoundClock(clock), this, watcher::deserted);
        private boolean turnRequested;

        Logic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            pull(in);
        }

        @Override
        public void postStop() {
            watcher.ending(subscription.members.consumers.sent());
            if (!subscription.isEnding()) {
                subscription.end(CloseReason.FAILED, null);
            }
            connected();
        }

        private void connected() {
            List<Attach> waiting = early == null ? List.of() : early;
            early = null;
            waiting.forEach(this::receive);
        }

        @Override
        public void onPush() {
            watcher.changing();
            subscription.take(grab(in));
            pull(in);
        }

        /** The topic is over: whoever closes it tells this one. */
        @Override
        public void onUpstreamFinish() {
            subscription.turn();
        }

        private void receive(DispatcherCommand command) {
            if (!(command instanceof Stats)) {
                watcher.changing();
            }
            if (subscription.isEnding()) {
                watcher.ending(subscription.members.consumers.sent());
                new Refusal(settings.name()).answer(command);
            } else if (command instanceof Ack ack) {
                subscription.ack(ack);
            } else if (command instanceof Flow flow) {
                subscription.flow(flow.link(), flow.permits());
            } else if (command instanceof Attach attach) {
                attach(attach);
            } else if (command instanceof Detach detach) {
                subscription.detach(detach.link());
            } else {
                receiveSeldom(command);
            }
        }

        private void attach(Attach attach) {
            if (early != null) {
                early.add(attach);
            } else {
                subscription.members.attach(attach, () -> attachAtLast(attach));
                subscription.endIfAbandoned();
            }
        }

        private void receiveSeldom(DispatcherCommand command) {
            if (command instanceof Seek seek) {
                seek.reply().completeExceptionally(nothingIsStored());
            } else if (command instanceof Skip skip) {
                skip.reply().completeExceptionally(nothingIsStored());
            } else if (command instanceof Locate locate) {
                locate.reply().completeExceptionally(nothingIsStored());
            } else if (command instanceof Acknowledged acknowledged) {
                acknowledged.reply().completeExceptionally(nothingIsStored());
            } else if (command instanceof Unsubscribe unsubscribe) {
                subscription.unsubscribe(unsubscribe);
            } else if (command instanceof Stats stats) {
                stats.reply().complete(subscription.stats());
            } else if (command instanceof Close close) {
                subscription.end(CloseReason.TOPIC_CLOSED, null);
                close.reply().complete(null);
            } else if (command instanceof Inspect inspect) {
                inspect.reply().complete(List.of());
            } else if (!(command instanceof Redeliver
                    || command instanceof Writable)) { // nothing is kept, nothing waits
                throw new IllegalStateException("a dispatcher of a topic that stores nothing does not know " + command);
            }
        }

        private static BrokerException nothingIsStored() {
            return new BrokerException(
                    ErrorKind.NOT_ALLOWED, "a topic that is not persistent has no position to go to");
        }

        private void attachAtLast(Attach attach) {
            if (subscription.isEnding()) {
                new Refusal(settings.name()).answer(attach);
            } else {
                subscription.members.attachAtLast(attach);
                subscription.endIfAbandoned();
            }
        }

        private void run(Runnable task) {
            watcher.changing();
            task.run();
        }

        private void turn() {
            watcher.changing();
            turnRequested = false;
            subscription.turn();
        }

        @Override
        public void requestTurn() {
            if (!turnRequested) {
                turnRequested = true;
                turns.invoke(NotUsed.NOT_USED);
            }
        }

        @Override
        public long nanoTime() {
            return nowNanos();
        }

        @Override
        public void later(Runnable task, Duration delay) {
            scheduleOnce(task, delay);
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
        public void end() {
            setKeepGoing(false);
            completeStage();
        }
    }
}
