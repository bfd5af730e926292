package io.millrace.streams;

import io.millrace.streams.stage.AsyncCallback;
import java.util.Objects;
import java.util.Optional;

/** Ends one stream at one place; safe to use from any thread, and idempotent. */
public final class UniqueKillSwitch {
    private final AsyncCallback<Optional<Throwable>> toStage;

    UniqueKillSwitch(AsyncCallback<Optional<Throwable>> toStage) {
        this.toStage = toStage;
    }

    /** Completes downstream and cancels upstream. */
    public void shutdown() {
        toStage.invoke(Optional.empty());
    }

    /** Fails downstream and cancels upstream with this failure. */
    public void abort(Throwable failure) {
        toStage.invoke(Optional.of(Objects.requireNonNull(failure, "failure")));
    }
}
