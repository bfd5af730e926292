package io.millrace.streams.schedule;

/**
 * A disposable that knows its own place in the {@link CompositeDisposable} it is in, so that keeping track of it needs
 * no table; in one at a time. In another it takes a table as any disposable does.
 */
public abstract class TrackedDisposable implements Disposable {
    static final int NOWHERE = -1;

    /** Written under the lock of the set it is in; a set that finds it elsewhere or nowhere there takes it as unknown. */
    int place = NOWHERE;

    protected TrackedDisposable() {}
}
