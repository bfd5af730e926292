package io.millrace.streams.operator;

import io.millrace.streams.engine.island.StageWakeUp;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a stage when a future completes. A future that outlives the stage keeps nothing of it.
 *
 * <p><b>Threads</b>: the stage begins and ends the wait, whoever completes the future wakes.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code wakeUp}: cleared by the stage, read by who completes the future; an outdated one does nothing, as
 * the stage has stopped.<br>
 * <b>Proved by</b>: SourcesTest.
 */
public final class FutureWait implements BiConsumer<Object, Throwable> {
    /** The class of stages of the JDK that are no more than that: they refuse to say whether they are done. */
    private static final Class<?> STAGE_ONLY =
            CompletableFuture.completedStage(Boolean.TRUE).getClass();

    private volatile @Nullable StageWakeUp wakeUp;

    public FutureWait(StageWakeUp wakeUp) {
        this.wakeUp = wakeUp;
    }

    /**
     * Tells what became of a future. What {@link CompletionStage#whenComplete} hands back would fail with an exception around
     * the failure, which cannot be made when the failure's message cannot.
     */
    public static <T> void whenDone(
            CompletionStage<? extends T> future, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action) {
        future.handle((value, failure) -> {
            action.accept(value, failure);
            return Boolean.TRUE;
        });
    }

    /** Whether it is known at once what became of a future: that {@link #whenDone} tells it before it returns. */
    public static boolean isDone(CompletionStage<?> future) {
        return future instanceof CompletableFuture<?> there && there.getClass() != STAGE_ONLY && there.isDone();
    }

    public void begin(CompletionStage<?> future) {
        whenDone(future, this);
    }

    /** Called when the stage has stopped. */
    public void end() {
        wakeUp = null;
    }

    @Override
    public void accept(@Nullable Object value, @Nullable Throwable failure) {
        StageWakeUp woken = wakeUp;
        if (woken != null) {
            woken.run();
        }
    }
}
