package io.millrace.streams.schedule;

/** The one disposable that has nothing to stop. */
enum AlreadyDisposed implements Disposable {
    ALREADY_DISPOSED;

    @Override
    public void dispose() {}

    @Override
    public boolean isDisposed() {
        return true;
    }
}
