package io.millrace.streams.engine.island;

import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Stands in for the handler of an outlet while elements wait to be emitted there. */
final class Emission implements OutHandler {
    private final Edge connection;
    private final Queue<Batch> batches = new ArrayDeque<>(2);
    private OutHandler resumed;
    private boolean completing;
    private boolean isPushing;

    private Emission(Edge connection) {
        this.connection = connection;
        this.resumed = connection.outHandler;
    }

    private record Batch(Iterator<?> elements, @Nullable Runnable andThen) {
        void done() {
            if (andThen != null) {
                andThen.run();
            }
        }
    }

    /** The emission that goes on at this outlet, or a new one. */
    static Emission on(Edge connection) {
        if (connection.outHandler instanceof Emission emission) {
            return emission;
        }
        Emission emission = new Emission(connection);
        if (!connection.isOutClosed()) {
            connection.outHandler = emission;
        }
        return emission;
    }

    /** Emits these after the others. Where the end is told already, or follows those, it is too late; not for what an action after one of them emits. */
    void add(Iterator<?> elements, @Nullable Runnable andThen) {
        if (!connection.isOutClosed() && (!completing || isPushing)) {
            batches.add(new Batch(elements, andThen));
        }
    }

    void setResumed(OutHandler handler) {
        resumed = handler;
    }

    void completeAfterwards() {
        completing = true;
    }

    @Override
    public void onPull() throws Exception {
        pushNext();
        if (connection.isDemandAvailable()) {
            resumed.onPull();
        }
    }

    /** Uses demand that is already there, unless an action after a batch asks for it: what it emits has its turn then. */
    void resume() {
        if (!isPushing) {
            pushNext();
        }
    }

    @Override
    public void onDownstreamFinish(Throwable cause) throws Exception {
        batches.clear();
        connection.outHandler = resumed;
        resumed.onDownstreamFinish(cause);
    }

    /** Pushes an element if there is one left; where nothing is left after it and its action, the handler is back and the end told. */
    private void pushNext() {
        isPushing = true;
        try {
            while (!batches.isEmpty()) {
                Batch batch = batches.element();
                if (!hasNext(batch)) {
                    batches.remove();
                    batch.done();
                } else if (connection.isDemandAvailable()) {
                    connection.push(next(batch));
                } else {
                    return;
                }
            }
        } finally {
            isPushing = false;
            if (batches.isEmpty()) {
                putBack();
            }
        }
        if (completing) {
            connection.finish(null);
        }
    }

    /** An iterator that throws is not asked again. */
    private boolean hasNext(Batch batch) {
        try {
            return batch.elements().hasNext();
        } catch (Throwable thrown) {
            batches.remove();
            throw thrown;
        }
    }

    private Object next(Batch batch) {
        try {
            return batch.elements().next();
        } catch (Throwable thrown) {
            batches.remove();
            throw thrown;
        }
    }

    private void putBack() {
        if (connection.outHandler == this) {
            connection.outHandler = resumed;
        }
    }
}
