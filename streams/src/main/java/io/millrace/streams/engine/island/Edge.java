package io.millrace.streams.engine.island;

import io.millrace.streams.engine.batch.BatchHandler;
import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.batch.BatchOutput;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.inspect.EdgeSnapshot;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * One edge inside an island: the element on it, and what each end knows. {@link Interpreter} explains the bits.
 * Everything in it belongs to the island.
 */
public final class Edge implements BatchInput, BatchOutput {
    static final int QUEUED = 1;
    static final int PULL_PENDING = 1 << 1;
    static final int PUSH_PENDING = 1 << 2;
    static final int FINISH_PENDING = 1 << 3;
    static final int CANCEL_PENDING = 1 << 4;
    static final int PULLED = 1 << 5;
    static final int DEMAND = 1 << 6;
    static final int ELEMENT = 1 << 7;
    static final int IN_CLOSED = 1 << 8;
    static final int OUT_CLOSED = 1 << 9;
    static final int ENDING = FINISH_PENDING | CANCEL_PENDING;

    private static final Outlet<Object> SELF_OUT = Outlet.create("self.out");
    private static final Inlet<Object> SELF_IN = Inlet.create("self.in");

    final Interpreter interpreter;
    final StageContext upstream;
    final StageContext downstream;
    final Outlet<?> outlet;
    final Inlet<?> inlet;
    OutHandler outHandler;
    InHandler inHandler;
    int state;

    @Nullable
    Object slot;

    @Nullable
    Throwable cause;

    /** The edge whose event comes after this one's. */
    @Nullable
    Edge nextEvent;

    long elementCount;

    private Edge(Interpreter interpreter, StageContext upstream, int outPlace, StageContext downstream, int inPlace) {
        this.interpreter = interpreter;
        this.upstream = upstream;
        this.outlet = upstream.outletAt(outPlace);
        this.downstream = downstream;
        this.inlet = downstream.inletAt(inPlace);
        this.outHandler = ClosedPort.INSTANCE;
        this.inHandler = ClosedPort.INSTANCE;
    }

    /** Wires the outlet at a place of one stage to the inlet at a place of another. */
    public static void wire(
            Interpreter interpreter, StageContext upstream, int outPlace, StageContext downstream, int inPlace) {
        Edge made = new Edge(interpreter, upstream, outPlace, downstream, inPlace);
        made.outHandler = upstream.wireOut(outPlace, made);
        made.inHandler = downstream.wireIn(inPlace, made);
    }

    /** An edge that a stage keeps at hand from its start on, if it has the port. */
    public static Edge required(@Nullable Edge edge) {
        if (edge == null) {
            throw new IllegalStateException("a stage used a port before its start, or one that it does not have");
        }
        return edge;
    }

    private Edge(StageContext stage, OutHandler handler) {
        interpreter = stage.island();
        upstream = stage;
        downstream = stage;
        outlet = SELF_OUT;
        inlet = SELF_IN;
        outHandler = handler;
        inHandler = ClosedPort.INSTANCE;
    }

    /** An edge by which a stage calls itself, from its start on. */
    public static Edge toSelf(StageContext stage, OutHandler handler) {
        return new Edge(stage, handler);
    }

    /** Asks for one element. */
    public void pull() {
        int s = state;
        if ((s & (PULLED | IN_CLOSED)) != 0) {
            throw misuse("pull", true, (s & IN_CLOSED) != 0 ? "it is closed" : "it has been pulled already");
        }
        demand(s);
    }

    /** Asks for one element unless asked already or closed. */
    public void tryPull() {
        int s = state;
        if ((s & (PULLED | IN_CLOSED)) == 0) {
            demand(s);
        }
    }

    private void demand(int s) {
        slot = null;
        if ((s & OUT_CLOSED) != 0) {
            state = (s | PULLED) & ~ELEMENT;
            return;
        }
        state = (s | PULLED | PULL_PENDING | QUEUED) & ~ELEMENT;
        interpreter.enqueue(this, s);
    }

    /** Whether an element was pushed that is not on its way yet. */
    boolean isPushPending() {
        return (state & PUSH_PENDING) != 0;
    }

    public boolean hasBeenPulled() {
        return (state & (PULLED | IN_CLOSED)) == PULLED;
    }

    @Override
    public boolean isElementAvailable() {
        return (state & ELEMENT) != 0;
    }

    @Override
    public boolean isElementAvailableOrAsk() {
        tryPull();
        return false;
    }

    @Override
    public void callAgain() {
        tryPull();
    }

    @Override
    public boolean isOver() {
        return isInClosed();
    }

    public boolean isInClosed() {
        return (state & IN_CLOSED) != 0;
    }

    @Override
    public Object grab() {
        int s = state;
        Object element = slot;
        if ((s & ELEMENT) == 0 || element == null) {
            throw misuse("grab from", true, "there is no element");
        }
        state = s & ~ELEMENT;
        slot = null;
        return element;
    }

    /** Closes the inlet's end. */
    @Override
    public void cancel(Throwable why) {
        int s = state;
        if ((s & IN_CLOSED) != 0) {
            return;
        }
        slot = null;
        s = (s | IN_CLOSED) & ~(ELEMENT | PUSH_PENDING | PULL_PENDING | FINISH_PENDING);
        downstream.portClosed();
        if ((s & OUT_CLOSED) != 0) {
            state = s;
            return;
        }
        cause = why;
        state = s | CANCEL_PENDING | QUEUED;
        interpreter.enqueue(this, s);
    }

    @Override
    public void push(Object element) {
        int s = state;
        if ((s & (DEMAND | IN_CLOSED)) != DEMAND || element == null) {
            if ((s & DEMAND) == 0 || element == null) {
                throw pushMisuse(s, element);
            }
            state = s & ~DEMAND;
            return;
        }
        slot = element;
        elementCount++;
        state = (s | PUSH_PENDING | QUEUED) & ~DEMAND;
        interpreter.enqueue(this, s);
    }

    /** Sends elements as long as there are some and downstream asks for more at once; it must have asked for the first. */
    public void pushAll(ElementBatch<?> elements) {
        if (inHandler instanceof BatchHandler handler && handler.takesBatches() && isDemandAvailable()) {
            long from = elements.position();
            interpreter.tellPushedAll(this, handler, elements);
            elementCount += elements.position() - from;
        } else if (elements.hasNext()) {
            push(elements.next());
        }
    }

    /**
     * The batch of the stage above, to be taken within this handler until {@link #closeBatch}; null when it has to be pulled,
     * when something is under way in the island, which might have to wait for a function above, or when that stage has not started yet,
     * as this one came before it.
     */
    @Override
    public @Nullable Iterator<?> openBatch() {
        return state == 0
                        && interpreter.isQuiet()
                        && upstream.isRunning()
                        && upstream.logic() instanceof BatchSource above
                ? interpreter.openBatch(upstream, above)
                : null;
    }

    @Override
    public void closeBatch(int count, @Nullable Throwable thrown) {
        elementCount += count;
        if (upstream.logic() instanceof BatchSource above) {
            interpreter.closeBatch(upstream, above, count, thrown);
        }
    }

    @Override
    public boolean isFailureAbove() {
        return true;
    }

    /** Whether the stage above is one that may have a batch. */
    public boolean mayHaveBatch() {
        return (state & (IN_CLOSED | OUT_CLOSED)) == 0 && upstream.logic() instanceof BatchSource;
    }

    /** Whether there might be a batch once nothing is on its way, so that who does not need an element now does better to ask later. */
    public boolean mayHaveBatchLater() {
        return !interpreter.isQuiet() && mayHaveBatch();
    }

    /** Whether more of a batch may be taken: nothing waits for this handler to end, and the turn is not long. */
    public boolean mayGoOn() {
        return interpreter.isQuiet() && !interpreter.turn().isLong();
    }

    /** On an edge by which a stage calls itself: calls the handler when nothing else waits, or after a while. */
    void callLater() {
        int s = state;
        state = s | PULL_PENDING | QUEUED;
        if ((s & QUEUED) == 0) {
            interpreter.enqueueForLater(this);
        }
    }

    /** Has the outlet's handler told once more that there is demand. */
    public void again() {
        int s = state;
        if ((s & DEMAND) != 0) {
            state = s | PULL_PENDING | QUEUED;
            interpreter.enqueue(this, s);
        }
    }

    @Override
    public boolean hasDemand() {
        return isDemandAvailable();
    }

    public boolean isDemandAvailable() {
        return (state & (DEMAND | IN_CLOSED)) == DEMAND;
    }

    public boolean isOutClosed() {
        return (state & OUT_CLOSED) != 0;
    }

    /** Closes the outlet's end, with a failure or without; what was pushed before is delivered first. */
    void finish(@Nullable Throwable failure) {
        int s = state;
        if ((s & OUT_CLOSED) != 0) {
            return;
        }
        s = (s | OUT_CLOSED) & ~(DEMAND | PULL_PENDING | CANCEL_PENDING);
        upstream.portClosed();
        if ((s & IN_CLOSED) != 0) {
            cause = null;
            state = s;
            return;
        }
        cause = failure;
        state = s | FINISH_PENDING | QUEUED;
        interpreter.enqueue(this, s);
    }

    /** Forgets everything, so that nobody who still holds the stage holds what went through it. */
    void clear() {
        slot = null;
        cause = null;
        nextEvent = null;
        state = IN_CLOSED | OUT_CLOSED;
        outHandler = ClosedPort.INSTANCE;
        inHandler = ClosedPort.INSTANCE;
    }

    EdgeSnapshot snapshot() {
        int s = state;
        EdgeSnapshot.State seen = EdgeSnapshot.State.WAITING_FOR_DEMAND;
        if ((s & (IN_CLOSED | OUT_CLOSED)) != 0) {
            seen = EdgeSnapshot.State.CLOSED;
        } else if ((s & QUEUED) != 0) {
            seen = EdgeSnapshot.State.IN_FLIGHT;
        } else if ((s & DEMAND) != 0) {
            seen = EdgeSnapshot.State.WAITING_FOR_ELEMENT;
        }
        return new EdgeSnapshot(upstream.index(), downstream.index(), elementCount, seen);
    }

    private IllegalStateException pushMisuse(int s, @Nullable Object element) {
        if (element == null) {
            return nullElement();
        }
        return misuse("push", false, (s & OUT_CLOSED) != 0 ? "it is closed" : "it has not been pulled");
    }

    /** What who pushes or emits null is told. */
    IllegalStateException nullElement() {
        return misuse("push", false, "the element is null");
    }

    private IllegalStateException misuse(String verb, boolean onInlet, String why) {
        StageContext stage = onInlet ? downstream : upstream;
        String port = onInlet ? inlet.name() : outlet.name();
        return new IllegalStateException("cannot " + verb + " port " + port + " of stage " + stage.name() + ": " + why);
    }
}
