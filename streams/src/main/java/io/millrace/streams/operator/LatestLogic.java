package io.millrace.streams.operator;

import org.jspecify.annotations.Nullable;

/**
 * Takes all that comes and keeps the latest element, which a subclass settles when its time has come; what has settled
 * goes downstream as soon as that asks, unless a later one settles before.
 */
public abstract class LatestLogic<T> extends LinearStage.Logic<T, T> {
    protected static final String TIMER = "latest";

    private @Nullable T latest;
    private @Nullable T settled;

    protected LatestLogic(LinearStage<T, T> stage) {
        super(stage);
    }

    /** An element has come. */
    protected abstract void onElement(boolean isFirst);

    /** An element has gone downstream. */
    protected void onEmitted() {}

    protected final boolean hasLatest() {
        return latest != null;
    }

    /** Lets the latest element go. */
    protected final void settle() {
        settled = latest;
        latest = null;
        emitSettled();
    }

    @Override
    public void preStart() {
        pull(in);
    }

    @Override
    public final void onPush() {
        boolean isFirst = latest == null;
        latest = grab(in);
        onElement(isFirst);
        tryPull(in);
    }

    @Override
    public final void onPull() {
        emitSettled();
    }

    @Override
    public final void onUpstreamFinish() {
        cancelTimer(TIMER);
        if (latest != null) {
            settle();
        } else if (settled == null) {
            completeStage();
        }
    }

    private void emitSettled() {
        T element = settled;
        if (element != null && isAvailable(out)) {
            settled = null;
            push(out, element);
            if (isClosed(in)) {
                completeStage();
            } else {
                onEmitted();
            }
        }
    }
}
