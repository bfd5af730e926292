package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/** A disposable that carries the links of the {@link DisposableList} it is in; at most one at a time. */
public abstract class LinkedDisposable implements Disposable {
    @Nullable
    LinkedDisposable before;

    @Nullable
    LinkedDisposable after;

    protected LinkedDisposable() {}
}
