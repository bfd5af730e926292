package io.millrace.streams;

import io.millrace.streams.inspect.StallReport;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.streams.schedule.Disposable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Looks at a runtime's streams from time to time and reports those through which nothing goes, with who holds them up:
 * once each time one comes to a stop. A stream that has nothing to do looks the same; its source is then reported as one
 * that sends nothing.
 *
 * <p><b>Threads</b>: one task of the runtime's scheduler looks and reports; any thread closes.<br>
 * <b>Owned</b>: {@code seen}, by that task.<br>
 * <b>Shared</b>: {@code task}, final.<br>
 * <b>States</b>: looking -> closed.<br>
 * <b>Proved by</b>: StallDetectorTest.
 */
public final class StallDetector implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(StallDetector.class.getName());

    private final StreamRuntime runtime;
    private final Duration quiet;
    private final Consumer<StallReport> listener;
    private final Disposable task;
    private Map<Long, Seen> seen = new HashMap<>();

    private StallDetector(StreamRuntime runtime, Duration quiet, Consumer<StallReport> listener) {
        this.runtime = runtime;
        this.quiet = quiet;
        this.listener = Objects.requireNonNull(listener, "listener");
        task = runtime.scheduler().schedulePeriodically(this::look, quiet, quiet);
    }

    /** How a stream looked, and whether that has been reported. */
    private record Seen(StreamSnapshot stream, boolean reported) {}

    /**
     * Reports streams through which nothing has gone for this long, on the scheduler's thread, until it is closed. What the
     * listener throws is logged.
     */
    public static StallDetector start(StreamRuntime runtime, Duration quiet, Consumer<StallReport> listener) {
        if (quiet.isNegative() || quiet.isZero()) {
            throw new IllegalArgumentException("the quiet time must be positive, not " + quiet);
        }
        return new StallDetector(runtime, quiet, listener);
    }

    @Override
    public void close() {
        task.dispose();
    }

    /** Whatever is thrown is logged: a periodic task that throws has run for the last time. */
    private void look() {
        try {
            compare();
        } catch (Throwable failure) {
            LOG.log(System.Logger.Level.ERROR, "looking for streams that stand failed; it goes on", failure);
        }
    }

    private void compare() {
        Map<Long, Seen> now = new HashMap<>();
        for (StreamSnapshot stream : runtime.snapshot().streams()) {
            Seen before = seen.get(stream.id());
            if (before == null || !before.stream().equals(stream)) {
                now.put(stream.id(), new Seen(stream, false));
                continue;
            }
            now.put(stream.id(), new Seen(stream, true));
            if (!before.reported()) {
                tell(StallReport.of(stream, quiet));
            }
        }
        seen = now;
    }

    private void tell(StallReport report) {
        try {
            listener.accept(report);
        } catch (Throwable ofListener) {
            LOG.log(System.Logger.Level.ERROR, "the listener for stalled streams failed on: " + report, ofListener);
        }
    }
}
