package io.millrace.streams.schedule;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A place for one disposable: putting in another disposes the one before; disposing the place disposes what is in it
 * and whatever is put in later.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code current}, exchanged atomically; {@link Disposable#disposed()} in it means
 * that the place is disposed.
 */
public final class SerialDisposable implements Disposable {
    private enum Empty implements Disposable {
        EMPTY;

        @Override
        public void dispose() {}

        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    private final AtomicReference<Disposable> current = new AtomicReference<>(Empty.EMPTY);

    /** An empty place. */
    public SerialDisposable() {}

    /** Puts one in and disposes the one before; false when the place is disposed, and then it was disposed instead. */
    public boolean set(Disposable next) {
        Disposable before = current.getAndUpdate(now -> now == Disposable.disposed() ? now : next);
        if (before == Disposable.disposed()) {
            next.dispose();
            return false;
        }
        before.dispose();
        return true;
    }

    @Override
    public void dispose() {
        current.getAndSet(Disposable.disposed()).dispose();
    }

    @Override
    public boolean isDisposed() {
        return current.get() == Disposable.disposed();
    }
}
