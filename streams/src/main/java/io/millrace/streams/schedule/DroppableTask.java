package io.millrace.streams.schedule;

/** A task of a worker that is told when it will never run, since its scheduler was shut down first. */
public interface DroppableTask extends Runnable {
    /**
     * Called once, by any thread, in place of the run that a shutdown has dropped; not when the task was refused, nor when
     * its own handle was disposed. Disposing its worker may count as a shutdown.
     */
    void dropped();
}
