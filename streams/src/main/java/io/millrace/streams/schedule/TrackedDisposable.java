package io.millrace.streams.schedule;

/**
 * A disposable that knows its own place in the {@link CompositeDisposable} or the {@link DisposableList} it is in, so that keeping track
 * of it needs no table; in one at a time, though other composites take it into a table as they take any disposable.
 */
public abstract class TrackedDisposable implements Disposable {
    static final int NOWHERE = -1;

    /** Written by who owns what it is in; who finds another there, or nothing, takes this one as unknown. */
    int place = NOWHERE;

    protected TrackedDisposable() {}

    /** Whether it is in none, and may be told its place in the one that takes it. */
    boolean isFree() {
        return place == NOWHERE;
    }
}
