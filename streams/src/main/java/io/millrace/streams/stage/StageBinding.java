package io.millrace.streams.stage;

import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.Outlet;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the engine does for the logic of one stage: the engine implements it, {@link GraphStageLogic} alone calls it. It is not for stages,
 * which have the methods of their logic; those say what each of these does.
 */
public interface StageBinding {
    /** What this logic is bound to. */
    static StageBinding of(GraphStageLogic logic) {
        return logic.binding;
    }

    void setHandler(Inlet<?> in, InHandler handler);

    void setHandler(Outlet<?> out, OutHandler handler);

    void pull(Inlet<?> in);

    void tryPull(Inlet<?> in);

    boolean hasBeenPulled(Inlet<?> in);

    <T> T grab(Inlet<T> in);

    boolean isAvailable(Inlet<?> in);

    boolean isClosed(Inlet<?> in);

    void cancel(Inlet<?> in, Throwable cause);

    void push(Outlet<?> out, Object element);

    boolean isAvailable(Outlet<?> out);

    boolean isClosed(Outlet<?> out);

    void complete(Outlet<?> out);

    void fail(Outlet<?> out, Throwable failure);

    void emit(Outlet<?> out, Object element, @Nullable Runnable andThen);

    void emitAll(Outlet<?> out, Iterator<?> elements, @Nullable Runnable andThen);

    void completeStage();

    void failStage(Throwable failure);

    void cancelStage(Throwable cause);

    void setKeepGoing(boolean enabled);

    <T> AsyncCallback<T> asyncCallback(StageConsumer<? super T> handler);

    <T> StageActorRef<T> stageActor(StageConsumer<? super T> handler, @Nullable MailboxLimit limit);

    void scheduleOnce(Object key, Duration delay);

    void schedulePeriodically(Object key, Duration initial, Duration period);

    void cancelTimer(Object key);

    boolean isTimerActive(Object key);

    Throwable abruptEnd();

    <T> CompletableFuture<T> promise();

    Materializer materializer();

    <T> SubSinkInlet<T> subSinkInlet(String name);

    <T> SubSourceOutlet<T> subSourceOutlet(String name, int capacity);
}
