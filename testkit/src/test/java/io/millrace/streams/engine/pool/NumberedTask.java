package io.millrace.streams.engine.pool;

/** A task that does nothing but tell which it is. */
record NumberedTask(int number) implements Runnable {
    @Override
    public void run() {}
}
