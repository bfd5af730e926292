package io.millrace.streams.engine.island;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageBinding;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stage's ports: the edges at them, and the handlers that they are wired to. Belongs to the stage's island; ports
 * work from preStart on.
 */
abstract sealed class StagePorts extends ResourceList implements StageBinding permits StageContext {
    private static final Edge[] NO_CONNECTIONS = {};
    private static final @Nullable Object[] NO_HANDLERS = {};

    final int inCount;
    private final Shape shape;
    private final Edge[] connections;
    private @Nullable Object @Nullable [] unwiredHandlers;

    StagePorts(Shape shape) {
        this.shape = shape;
        inCount = shape.inlets().size();
        int count = inCount + shape.outlets().size();
        connections = count == 0 ? NO_CONNECTIONS : new Edge[count];
        unwiredHandlers = count == 0 ? NO_HANDLERS : new Object[count];
    }

    /** The operator path. */
    public abstract String name();

    @Override
    public void setHandler(Inlet<?> in, InHandler handler) {
        if (unwiredHandlers == null) {
            Edge connection = in(in);
            if (!connection.isInClosed()) {
                connection.inHandler = handler;
            }
        } else {
            unwiredHandlers[unwiredPlace(in, in.index(), shape.inlets(), 0)] = handler;
        }
    }

    @Override
    public void setHandler(Outlet<?> out, OutHandler handler) {
        if (unwiredHandlers == null) {
            Edge connection = out(out);
            if (connection.outHandler instanceof Emission emission) {
                emission.setResumed(handler);
            } else if (!connection.isOutClosed()) {
                connection.outHandler = handler;
            }
        } else {
            unwiredHandlers[unwiredPlace(out, out.index(), shape.outlets(), inCount)] = handler;
        }
    }

    private int unwiredPlace(Object port, int place, List<?> own, int offset) {
        if (place < 0 || place >= own.size() || own.get(place) != port) {
            throw new IllegalArgumentException(
                    own.contains(port)
                            ? "port " + port + " of " + name()
                                    + " belongs to another shape; make new ports for each shape"
                            : "stage " + name() + " has no port " + port);
        }
        return offset + place;
    }

    /** Sets the handlers of the inlets in their order; called by a stage of many ports as its logic is made. */
    public void setInHandlers(InHandler[] handlers) {
        System.arraycopy(handlers, 0, Objects.requireNonNull(unwiredHandlers), 0, inCount);
    }

    /** Sets the handlers of the outlets in their order; called by a stage of many ports as its logic is made. */
    public void setOutHandlers(OutHandler[] handlers) {
        System.arraycopy(handlers, 0, Objects.requireNonNull(unwiredHandlers), inCount, connections.length - inCount);
    }

    InHandler wireIn(int place, Edge connection) {
        connections[place] = connection;
        return (InHandler) unwiredHandler(place);
    }

    OutHandler wireOut(int place, Edge connection) {
        connections[inCount + place] = connection;
        return (OutHandler) unwiredHandler(inCount + place);
    }

    private Object unwiredHandler(int place) {
        Object handler = unwiredHandlers == null ? null : unwiredHandlers[place];
        if (handler == null) {
            throw new IllegalStateException("stage " + name() + " has no handler for port "
                    + (place < inCount ? inletAt(place) : outletAt(place - inCount))
                    + "; set one in the constructor of its logic");
        }
        return handler;
    }

    Inlet<?> inletAt(int place) {
        return shape.inlets().get(place);
    }

    Outlet<?> outletAt(int place) {
        return shape.outlets().get(place);
    }

    public void wired() {
        unwiredHandlers = null;
    }

    /** The edge at the inlet of this place. */
    public Edge in(int place) {
        return connections[place];
    }

    /** The edge at the outlet of this place. */
    public Edge out(int place) {
        return connections[inCount + place];
    }

    /** The edge at this inlet. */
    public Edge in(Inlet<?> in) {
        int place = in.index();
        if (place >= 0 && place < inCount) {
            Edge connection = connections[place];
            if (connection != null && connection.inlet == in) {
                return connection;
            }
        }
        throw noSuchPort(in);
    }

    /** The edge at this outlet. */
    public Edge out(Outlet<?> out) {
        int place = inCount + out.index();
        if (place >= inCount && place < connections.length) {
            Edge connection = connections[place];
            if (connection != null && connection.outlet == out) {
                return connection;
            }
        }
        throw noSuchPort(out);
    }

    private IllegalStateException noSuchPort(Object port) {
        return new IllegalStateException(
                unwiredHandlers == null
                        ? "stage " + name() + " has no port " + port
                        : "port " + port + " of " + name() + " works from preStart on");
    }

    @Override
    public void pull(Inlet<?> in) {
        in(in).pull();
    }

    @Override
    public void tryPull(Inlet<?> in) {
        in(in).tryPull();
    }

    @Override
    public boolean hasBeenPulled(Inlet<?> in) {
        return in(in).hasBeenPulled();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T grab(Inlet<T> in) {
        return (T) in(in).grab();
    }

    @Override
    public boolean isAvailable(Inlet<?> in) {
        return in(in).isElementAvailable();
    }

    @Override
    public boolean isClosed(Inlet<?> in) {
        return in(in).isInClosed();
    }

    @Override
    public void cancel(Inlet<?> in, Throwable cause) {
        in(in).cancel(cause);
    }

    @Override
    public void push(Outlet<?> out, Object element) {
        out(out).push(element);
    }

    @Override
    public boolean isAvailable(Outlet<?> out) {
        return out(out).isDemandAvailable();
    }

    @Override
    public boolean isClosed(Outlet<?> out) {
        return out(out).isOutClosed();
    }

    /** Pushes elements as long as there are some and downstream asks for more at once. */
    public void pushAll(Outlet<?> out, ElementBatch<?> elements) {
        out(out).pushAll(elements);
    }

    @Override
    public void complete(Outlet<?> out) {
        complete(out(out));
    }

    private static void complete(Edge connection) {
        if (connection.outHandler instanceof Emission emission) {
            emission.completeAfterwards();
        } else {
            connection.finish(null);
        }
    }

    @Override
    public void emit(Outlet<?> out, Object element, @Nullable Runnable andThen) {
        Edge connection = out(out);
        if (connection.isDemandAvailable() && !(connection.outHandler instanceof Emission)) {
            connection.push(element);
            if (andThen != null) {
                andThen.run();
            }
        } else if (element == null) {
            throw connection.nullElement();
        } else {
            Emission.on(connection).add(element, andThen);
        }
    }

    @Override
    public void emitAll(Outlet<?> out, Iterator<?> elements, @Nullable Runnable andThen) {
        Edge connection = out(out);
        boolean asksLater = andThen == null && connection.isPushPending();
        if (!asksLater
                && !(connection.outHandler instanceof Emission)
                && !connection.isOutClosed()
                && !elements.hasNext()) {
            if (andThen != null) {
                andThen.run();
            }
            return;
        }
        Emission emission = Emission.on(connection);
        emission.addAll(elements, andThen);
        if (asksLater || connection.isDemandAvailable()) {
            emission.resume();
        }
    }

    /** Visits the edges at its outlets, as far as they are wired. */
    void forEachOut(Consumer<Edge> visitor) {
        for (int i = inCount; i < connections.length; i++) {
            if (connections[i] != null) {
                visitor.accept(connections[i]);
            }
        }
    }

    /** Closes every port: what failed goes down if something did. */
    final void closePorts(Throwable cancellation, @Nullable Throwable failing) {
        for (int i = 0; i < connections.length; i++) {
            if (i < inCount) {
                connections[i].cancel(cancellation);
            } else if (failing == null) {
                complete(connections[i]);
            } else {
                connections[i].finish(failing);
            }
        }
    }

    final void forgetHandlers() {
        unwiredHandlers = null;
        for (int i = 0; i < connections.length; i++) {
            Edge connection = connections[i];
            if (connection != null && i < inCount) {
                connection.inHandler = ClosedPort.INSTANCE;
            } else if (connection != null) {
                connection.outHandler = ClosedPort.INSTANCE;
            }
        }
    }
}
