package io.millrace.streams.schedule;

/** A worker that lives on one event loop, whose single queue keeps its tasks in order; see {@link Lane} on threads. */
final class LoopLane extends Lane {
    private final EventLoop loop;
    private final boolean ownsLoop;

    LoopLane(EventLoop loop, boolean ownsLoop) {
        this.loop = loop;
        this.ownsLoop = ownsLoop;
    }

    @Override
    void runSoon(Task task) {
        loop.submit(task);
    }

    @Override
    void runAtDeadline(Task task) {
        loop.submit(task);
    }

    @Override
    boolean isArming() {
        return loop.isArming();
    }

    @Override
    boolean isClosed() {
        return loop.isClosed();
    }

    @Override
    void disposing(boolean hadTimers) {
        if (ownsLoop) {
            loop.close();
        } else if (hadTimers) {
            loop.forget(this);
        }
    }

    @Override
    void cancelled(Task task) {
        if (task.isTimer()) {
            loop.countCancelled(1);
        }
    }

    @Override
    void dropped(Task task) {
        if (task.isTimer()) {
            loop.countDropped();
        }
    }
}
