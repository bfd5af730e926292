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

    void add(Iterator<?> elements, @Nullable Runnable andThen) {
        batches.add(new Batch(elements, andThen));
    }

    void setResumed(OutHandler handler) {
        resumed = handler;
    }

    void completeAfterwards() {
        completing = true;
    }

    @Override
    public void onPull() throws Exception {
        if (!pushNext() && connection.isDemandAvailable()) {
            resumed.onPull();
        }
    }

    /** Uses demand that is already there. */
    void resume() {
        pushNext();
    }

    @Override
    public void onDownstreamFinish(Throwable cause) throws Exception {
        batches.clear();
        connection.outHandler = resumed;
        resumed.onDownstreamFinish(cause);
    }

    /** Pushes one element if there is one left; puts the handler back when there is none after it. */
    private boolean pushNext() {
        boolean pushed = false;
        while (!batches.isEmpty()) {
            Batch batch = batches.element();
            if (batch.elements().hasNext()) {
                if (pushed) {
                    return true;
                }
                connection.push(batch.elements().next());
                pushed = true;
            } else {
                batches.remove();
                if (batches.isEmpty()) {
                    putBack();
                }
                batch.done();
            }
        }
        if (completing) {
            connection.finish(null);
        }
        return pushed;
    }

    private void putBack() {
        if (connection.outHandler == this) {
            connection.outHandler = resumed;
        }
    }
}
