package io.millrace.streams.schedule;

/**
 * A thread whose tasks must not block, as others wait for it: those of event loops and of a runtime's dispatcher are. A
 * {@link BlockingDetector} watches all of them; extend it to have threads of your own watched, too.
 */
public class NonBlockingThread extends Thread {
    private final String idleClass;

    /**
     * A daemon thread.
     *
     * @param idles the class whose code waits when the thread has nothing to do, which is no blocking
     */
    @SuppressWarnings("this-escape") // the mark of a daemon is the thread's own
    protected NonBlockingThread(Runnable task, String name, Class<?> idles) {
        super(task, name);
        this.idleClass = idles.getName();
        setDaemon(true);
    }

    /** As the other one; what runs is the overridden {@link #run()}, and this class is the one that waits. */
    @SuppressWarnings("this-escape") // as above
    protected NonBlockingThread(String name) {
        super(name);
        this.idleClass = getClass().getName();
        setDaemon(true);
    }

    /** Whether a thread that waits in this frame, the innermost outside the JDK, has nothing to do. */
    final boolean isIdleIn(StackTraceElement frame) {
        return frame.getClassName().equals(idleClass);
    }
}
