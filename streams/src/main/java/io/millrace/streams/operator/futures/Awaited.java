package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.operator.FutureWait;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the future that a stage waits for, of one after the other. A future that outlives the stage keeps nothing of it, nor of its runtime.
 *
 * <p><b>Threads</b>: the stage begins, takes and ends; any thread completes.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code settled}: written by who completes, volatile, before it wakes the stage, which takes it; {@code wakeUp}: cleared by the stage, volatile.<br>
 * <b>States</b>: idle -> waiting -> settled -> idle; any -> ended when the stage has stopped.<br>
 * <b>Proved by</b>: SourcesTest, RetentionTest.
 */
public final class Awaited<T> implements BiConsumer<@Nullable T, @Nullable Throwable> {
    private final String operator;
    private volatile @Nullable StageWakeUp wakeUp;
    private volatile @Nullable Settled<T> settled;

    /** For this operator, whose stage is woken. */
    public Awaited(String operator, StageWakeUp wakeUp) {
        this.operator = operator;
        this.wakeUp = wakeUp;
    }

    /** Waits for the future. */
    public void begin(CompletionStage<? extends T> future) {
        FutureWait.whenDone(future, this);
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable failure) {
        StageWakeUp woken = wakeUp;
        if (woken != null) {
            settled = Settled.of(value, failure, operator);
            woken.run();
        }
    }

    /** What became of the future. */
    public Settled<T> take() {
        Settled<T> taken = Objects.requireNonNull(settled, "settled");
        settled = null;
        return taken;
    }

    /** Called when the stage has stopped. */
    public void end() {
        wakeUp = null;
        settled = null;
    }
}
