package io.millrace.streams.engine.island;

import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the handler of an outlet while elements wait to be emitted there. An iterator is asked only once what was pushed before is on its way; but one with an
 * action behind it at once, so that the action comes before whatever is heard after the last element, as the end of upstream.
 */
final class Emission implements OutHandler {
    private final Edge connection;
    private final Queue<Batch> batches = new ArrayDeque<>(2);
    private OutHandler resumed;
    private @Nullable Later later;
    private boolean completing;
    private boolean isPushing;
    /** Whether an element was pushed, and the user not been asked since. */
    private boolean isUnderWay;

    private Emission(Edge connection) {
        this.connection = connection;
        this.resumed = connection.outHandler;
        this.isUnderWay = connection.isPushPending();
    }

    private record Batch(
            Iterator<?> elements, boolean isUsers, @Nullable Runnable andThen) {
        boolean asksUser() {
            return isUsers && andThen == null;
        }

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

    /** Emits this after the others, as {@link #addAll}. */
    void add(Object element, @Nullable Runnable andThen) {
        add(new Batch(List.of(element).iterator(), false, andThen));
    }

    /** Emits these after the others. Where the end is told already, or follows those, it is too late; not for what an action after one of them emits. */
    void addAll(Iterator<?> elements, @Nullable Runnable andThen) {
        add(new Batch(elements, true, andThen));
    }

    private void add(Batch batch) {
        if (!connection.isOutClosed() && (!completing || isPushing)) {
            batches.add(batch);
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
        isUnderWay = false;
        pushNext();
        if (connection.isDemandAvailable()) {
            resumed.onPull();
        }
    }

    /** Uses demand that is already there, or sees to it that an iterator is asked without, unless an action after a batch asks for it: what it emits has its turn then. */
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

    private void goOn() {
        if (connection.isPushPending()) {
            askLater();
            return;
        }
        isUnderWay = false;
        if (connection.outHandler == this && !connection.isOutClosed()) {
            pushNext();
        }
    }

    private void askLater() {
        if (later == null) {
            later = new Later(connection.upstream, this::goOn);
        }
        later.ask();
    }

    /**
     * Pushes an element if there is one left, which is on its way before an iterator without an action is asked for more; where nothing is left after it and its action, the handler is
     * back and the end told.
     */
    private void pushNext() {
        isPushing = true;
        try {
            while (!batches.isEmpty()) {
                Batch batch = batches.element();
                if (isUnderWay && batch.asksUser()) {
                    askLater();
                    return;
                } else if (!hasNext(batch)) {
                    batches.remove();
                    batch.done();
                } else if (connection.isDemandAvailable()) {
                    connection.push(next(batch));
                    isUnderWay = true;
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
