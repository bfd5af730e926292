package io.millrace.streams.engine.island;

import io.millrace.streams.stage.AsyncCallback;
import org.jspecify.annotations.Nullable;

/** What a stream that runs into a sub-sink tells the sub-sink's owner. */
sealed interface SubSignal<T> {
    record Attached<T>(AsyncCallback<SubDemand> demand) implements SubSignal<T> {}

    record Element<T>(T value) implements SubSignal<T> {}

    record Ended<T>(@Nullable Throwable failure) implements SubSignal<T> {}
}
