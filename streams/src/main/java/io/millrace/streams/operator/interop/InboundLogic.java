package io.millrace.streams.operator.interop;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * Emits what a Reactive Streams publisher sends: asks it for a window of elements, and again when half of it is used.
 * The publisher's end, a failure, too, comes after the elements that it has sent.
 * The window is the input buffer of the attributes, or 16.
 */
class InboundLogic<T> extends GraphStageLogic implements OutHandler {
    private static final int DEFAULT_WINDOW = 16;

    private final SourceShape<T> shape;
    private final int window;
    private final Queue<T> waiting = new ArrayDeque<>();
    private final InboundSubscriber<T> subscriber = new InboundSubscriber<>(asyncCallback(this::onSignal));
    private boolean isSubscribed;
    private int outstanding;
    private boolean ending;
    private @Nullable Throwable failure;

    @SuppressWarnings("this-escape") // handlers are called from the start on, when the subclass is complete
    InboundLogic(SourceShape<T> shape, Attributes inherited) {
        super(shape);
        this.shape = shape;
        this.window = inherited
                .find(Attributes.InputBuffer.class)
                .map(Attributes.InputBuffer::elements)
                .orElse(DEFAULT_WINDOW);
        setHandler(shape.out(), this);
    }

    /** What the publisher is to be subscribed with. */
    final Subscriber<T> subscriber() {
        return subscriber;
    }

    @Override
    public void onPull() throws Exception {
        T element = waiting.poll();
        if (element != null) {
            push(shape.out(), element);
            askForMore();
        }
        endIfDrained();
    }

    @Override
    public void postStop() throws Exception {
        subscriber.cancel();
    }

    @SuppressWarnings("unchecked")
    private void onSignal(Object signal) {
        if (signal instanceof InboundSubscriber.Control control) {
            onControl(control);
        } else {
            onElement((T) signal);
        }
    }

    private void onControl(InboundSubscriber.Control control) {
        if (control instanceof InboundSubscriber.Subscribed) {
            isSubscribed = true;
            askForMore();
        } else if (control instanceof InboundSubscriber.Violated violated) {
            failStage(violated.violation());
        } else if (control instanceof InboundSubscriber.Failed failed) {
            ends(failed.failure());
        } else {
            ends(null);
        }
    }

    private void ends(@Nullable Throwable how) {
        if (ending) {
            return; // a publisher that tells its end twice
        }
        subscriber.forget();
        ending = true;
        failure = how;
        endIfDrained();
    }

    private void onElement(T element) {
        if (ending) {
            failStage(new IllegalStateException("a publisher sent an element after its end (rule 1.7)"));
            return;
        }
        outstanding--;
        if (isAvailable(shape.out())) {
            push(shape.out(), element);
            askForMore();
        } else {
            waiting.add(element);
        }
    }

    private void askForMore() {
        int held = outstanding + waiting.size();
        if (isSubscribed && !ending && held <= window / 2) {
            outstanding += window - held;
            subscriber.ask(window - held);
        }
    }

    private void endIfDrained() {
        if (!ending || !waiting.isEmpty()) {
            return;
        }
        Throwable how = failure;
        if (how == null) {
            completeStage();
        } else {
            StageContext.of(this).passFailure(how);
        }
    }
}
