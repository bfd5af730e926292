package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.hub.ConsumerLaggedException;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.SubSinkInlet;
import org.jspecify.annotations.Nullable;

/**
 * The dispatcher's subscription to the tail hub. It joins when everything durable was read and a consumer takes
 * entries, reads the log's end once more when the hub has registered it, and leaves when it falls behind.
 *
 * <pre>
 * AWAY -> JOINING by join, JOINING -> THERE when registered, both -> AWAY by leave or when the hub drops it,
 * any -> OVER when the hub itself has ended
 * </pre>
 */
final class TailSubscription {
    /** With no consumer to take them, it leaves when more entries than this are unread. */
    static final int LOOKAHEAD_ENTRIES = 1024;

    private enum State {
        AWAY,
        JOINING,
        THERE,
        OVER
    }

    private final TopicLog log;
    private final ForwardReader reader;
    private final DispatcherContext context;
    private State state = State.AWAY;
    private @Nullable SubSinkInlet<Position> inlet;

    TailSubscription(TopicLog log, ForwardReader reader, DispatcherContext context) {
        this.log = log;
        this.reader = reader;
        this.context = context;
    }

    boolean isThere() {
        return state == State.THERE;
    }

    /** Asks the log for its end, unless the hub announces it; true if there is more to read now. */
    boolean refreshEnd() {
        if (state != State.THERE) {
            reader.announce(log.lastDurable());
        }
        return reader.unread() > 0;
    }

    /** Everything durable was read and a consumer waits for more. */
    void join() {
        if (state != State.AWAY) {
            return;
        }
        state = State.JOINING;
        SubSinkInlet<Position> opened = context.openTailInlet();
        opened.setHandler(new Signals(opened));
        inlet = opened;
        opened.pull();
        context.whenDone(context.runTailInto(opened), (done, failure) -> registered(opened, failure));
    }

    /** No consumer takes entries: leaves when it is well behind. */
    void idle() {
        if (inlet != null && reader.unread() > LOOKAHEAD_ENTRIES) {
            leave();
        }
    }

    /** Leaves the hub, if it has joined. */
    void leave() {
        if (inlet != null) {
            inlet.cancel();
            inlet = null;
            state = State.AWAY;
        }
    }

    private void registered(SubSinkInlet<Position> opened, @Nullable Throwable failure) {
        if (inlet == opened && failure == null) {
            state = State.THERE;
            reader.announce(log.lastDurable());
            context.requestTurn();
        }
    }

    private final class Signals implements InHandler {
        private final SubSinkInlet<Position> own;

        Signals(SubSinkInlet<Position> own) {
            this.own = own;
        }

        @Override
        public void onPush() {
            reader.announce(own.grab());
            own.pull();
            context.requestTurn();
        }

        @Override
        public void onUpstreamFinish() {
            ended(State.OVER);
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            ended(failure instanceof ConsumerLaggedException ? State.AWAY : State.OVER);
        }

        private void ended(State next) {
            if (inlet == own) {
                inlet = null;
                state = next;
                context.requestTurn();
            }
        }
    }
}
