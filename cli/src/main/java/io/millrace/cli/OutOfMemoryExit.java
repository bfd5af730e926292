package io.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.broker.Broker;
import io.millrace.cli.exit.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at the first error that says that the heap is full, after a line that says who held what; other
 * uncaught failures are logged. Any thread.
 */
final class OutOfMemoryExit implements Thread.UncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryExit.class);

    private static final int RESERVE_BYTES = 512 << 10;

    private final byte[] firstLine;
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private volatile @Nullable Broker broker;
    /** Given up at the end, so that there is room for the last words. */
    @SuppressWarnings("UnusedVariable") // nobody reads it
    private byte @Nullable [] reserve = new byte[RESERVE_BYTES];

    private OutOfMemoryExit(String what) {
        firstLine =
                ("millrace: out of memory, " + what + " ends at once; what was receipted is safe\n").getBytes(UTF_8);
    }

    /** Makes one the handler of the process, which says that this ends. */
    static OutOfMemoryExit install(String what) {
        OutOfMemoryExit exit = new OutOfMemoryExit(what);
        Thread.setDefaultUncaughtExceptionHandler(exit);
        return exit;
    }

    /** The broker that has started, which can say what it holds. */
    void watch(Broker started) {
        broker = started;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            try {
                tell(failure);
            } finally {
                Runtime.getRuntime().halt(ExitCode.OUT_OF_MEMORY);
            }
        }
        LOG.error("{} has ended", thread.getName(), failure);
    }

    /** The first line needs no heap at all. One thread tells, others wait and never get to it. */
    private synchronized void tell(Throwable failure) {
        write(firstLine);
        reserve = null;
        Broker started = broker;
        if (started != null) {
            String text = "millrace: " + failure.getMessage() + "; " + started.memoryUse()
                    + ". Give it a larger heap (-Xmx), or its clients less.\n";
            write(text.getBytes(UTF_8));
        }
    }

    private void write(byte[] line) {
        try {
            err.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException("nobody reads what the broker says", e);
        }
    }
}
