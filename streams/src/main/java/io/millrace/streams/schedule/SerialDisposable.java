package io.millrace.streams.schedule;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A place for one disposable: putting in another disposes the one before; disposing the place disposes what is in it
 * and whatever is put in later.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code current}, exchanged atomically; {@link Mark#DISPOSED} in it means that the
 * place is disposed.
 */
public final class SerialDisposable implements Disposable {
    /** What is in the place when nothing is; nobody else has these, and whoever puts something in may put in anything. */
    private enum Mark implements Disposable {
        EMPTY,
        DISPOSED;

        @Override
        public void dispose() {}

        @Override
        public boolean isDisposed() {
            return this == DISPOSED;
        }
    }

    private final AtomicReference<Disposable> current = new AtomicReference<>(Mark.EMPTY);

    /** An empty place. */
    public SerialDisposable() {}

    /** Puts one in and disposes the one before; false when the place is disposed, and then it was disposed instead. */
    public boolean set(Disposable next) {
        Disposable before = current.getAndUpdate(now -> now == Mark.DISPOSED ? now : next);
        if (before == Mark.DISPOSED) {
            next.dispose();
            return false;
        }
        before.dispose();
        return true;
    }

    @Override
    public void dispose() {
        current.getAndSet(Mark.DISPOSED).dispose();
    }

    @Override
    public boolean isDisposed() {
        return current.get() == Mark.DISPOSED;
    }
}
