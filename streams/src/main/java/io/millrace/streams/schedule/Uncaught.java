package io.millrace.streams.schedule;

/** Where an error goes that nobody handles: the current thread's uncaught exception handler. */
final class Uncaught {
    private static final System.Logger LOG = System.getLogger(Uncaught.class.getName());

    private Uncaught() {}

    static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ofHandler) {
            // The thread belongs to other tasks too, so a broken handler must not end it.
            LOG.log(System.Logger.Level.ERROR, "the uncaught exception handler failed", ofHandler);
            LOG.log(System.Logger.Level.ERROR, "it was told of this", thrown);
        }
    }
}
