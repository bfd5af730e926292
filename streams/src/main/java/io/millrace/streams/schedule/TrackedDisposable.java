package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A disposable that carries its own place in the {@link CompositeDisposable} it is in, so that keeping track of it needs
 * no table; it may be in one at a time.
 */
public abstract class TrackedDisposable extends LinkedDisposable {
    /** Read and written under the owner's lock. */
    @Nullable
    CompositeDisposable owner;

    protected TrackedDisposable() {}
}
