package io.millrace.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Tells on stderr how far a command is: a line that renews itself while stderr is a terminal, and one summary at the
 * end. Used by one thread.
 */
final class Progress {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MB = 1e6;

    private final PrintStream err;
    private final boolean terminal;
    private final String done;
    private final long startNanos = System.nanoTime();
    private long nextNanos = startNanos + INTERVAL_NANOS;
    private boolean shown;

    /** Progress of what is {@code done}, such as "produced"; bin/millrace says whether stderr is a terminal. */
    Progress(String done) {
        this(System.err, Boolean.getBoolean("millrace.terminal"), done);
    }

    Progress(PrintStream err, boolean terminal, String done) {
        this.err = err;
        this.terminal = terminal;
        this.done = done;
    }

    /** Shows the count if it is time to; cheap enough for each message. */
    void update(long messages, long bytes) {
        if (terminal) {
            long now = System.nanoTime();
            if (now - nextNanos >= 0) {
                nextNanos = now + INTERVAL_NANOS;
                shown = true;
                err.print("\r\u001b[K" + describe(messages, bytes, now));
                err.flush();
            }
        }
    }

    /** Prints one whole line, in place of the renewed one. */
    void say(String line) {
        err.println(clear() + "millrace: " + line);
    }

    /** Prints the last count. */
    void summary(long messages, long bytes) {
        err.println(clear() + describe(messages, bytes, System.nanoTime()));
    }

    private String clear() {
        String clear = shown ? "\r\u001b[K" : "";
        shown = false;
        return clear;
    }

    private String describe(long messages, long bytes, long nowNanos) {
        double seconds = Math.max(1, nowNanos - startNanos) / NANOS_PER_SECOND;
        return String.format(
                Locale.ROOT,
                "%s %,d messages, %.1f MB in %.1f s (%,.0f/s)",
                done,
                messages,
                bytes / BYTES_PER_MB,
                seconds,
                messages / seconds);
    }
}
