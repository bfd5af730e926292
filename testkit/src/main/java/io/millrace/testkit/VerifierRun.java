package io.millrace.testkit;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of a {@link StreamVerifier}'s script; used by the thread that verifies. */
final class VerifierRun<T> {
    /** Stands for all elements: an endless source is held back here instead of filling the memory. */
    private static final int AHEAD = 4096;
    /** So many that nobody has taken are kept at most, and some. */
    private static final int MOST_KEPT = 1 << 20;
    /** How many of the events are told of, the last ones. */
    private static final int TOLD = 100;

    private final @Nullable VirtualTimeScheduler time;
    private final boolean withoutLimit;
    private final Duration patience;
    private final Deque<ProbeEvents.Event> lastSeen = new ArrayDeque<>();
    private long seenBefore;
    private @Nullable TestSink<T> sink;
    private long outstanding;

    VerifierRun(boolean virtualTime, long requested, Duration patience) {
        this.time = virtualTime ? new VirtualTimeScheduler() : null;
        this.withoutLimit = requested == Long.MAX_VALUE;
        this.patience = patience;
        this.outstanding = withoutLimit ? AHEAD : requested;
    }

    /** A step of the script. */
    record Step<T>(String name, ThrowingConsumer<VerifierRun<T>> action) {}

    void run(Supplier<? extends Graph<SourceShape<T>, ?>> source, List<Step<T>> steps) {
        try (StreamRuntime runtime = runtime()) {
            TestSink<T> started = Source.fromGraph(source.get()).runWith(TestSink.<T>probe(), runtime);
            sink = started;
            if (outstanding > 0) {
                started.request(outstanding);
            }
            for (int i = 0; i < steps.size(); i++) {
                take(i + 1, steps.get(i));
            }
            started.cancel();
        }
    }

    private StreamRuntime runtime() {
        RuntimeSettings settings = RuntimeSettings.defaults().withName("verifier");
        return time == null
                ? StreamRuntime.create(settings)
                : StreamRuntime.create(settings.withExecutor(Runnable::run), time);
    }

    private void take(int number, Step<T> step) {
        try {
            step.action().accept(this);
        } catch (Exception | AssertionError failure) {
            throw new AssertionError(
                    "step " + number + ", " + step.name() + ": " + failure.getMessage() + "; seen so far: " + seen(),
                    failure);
        }
    }

    // --------------------------------------------------------------------------------------- what steps do

    @SuppressWarnings("unchecked")
    T element(String expected) {
        ProbeEvents.Event next = next(expected);
        if (next instanceof ProbeEvents.Element element) {
            return (T) element.value();
        }
        throw unexpected(expected, next);
    }

    void completion() {
        ProbeEvents.Event next = next("the completion");
        if (!(next instanceof ProbeEvents.Completed)) {
            throw unexpected("the completion", next);
        }
    }

    Throwable failure() {
        ProbeEvents.Event next = next("a failure");
        if (next instanceof ProbeEvents.Failed failed) {
            return failed.failure();
        }
        throw unexpected("a failure", next);
    }

    void request(long count) {
        if (!withoutLimit) {
            outstanding += count;
            sink().request(count);
        }
    }

    void cancel() {
        sink().cancel();
    }

    /** Lets time pass. */
    void pass(Duration duration) throws InterruptedException {
        if (time != null) {
            advance(time, duration);
        } else if (new CountDownLatch(1).await(Durations.nanos(duration), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("a latch that nobody counts down is open");
        }
    }

    void expectNothing(Duration within) {
        if (time != null) {
            advance(time, within);
        }
        ProbeEvents.Event next = sink().events().poll(time == null ? within : Duration.ZERO);
        if (next != null) {
            note(next);
            throw unexpected("nothing for " + within, next);
        }
    }

    /** Moves the clock; who asks for all has demand at each time at which something is due. */
    private void advance(VirtualTimeScheduler clock, Duration by) {
        clock.advance(by, this::askForAll);
    }

    /** Asks for more if what is asked for and not there yet runs short. */
    private void askForAll() {
        int there = sink().events().size();
        long due = outstanding - there;
        if (withoutLimit && due <= AHEAD / 2 && there < MOST_KEPT) {
            sink().request(AHEAD - due);
            outstanding += AHEAD - due;
        }
    }

    private ProbeEvents.Event next(String expected) {
        if (time != null && sink().events().size() == 0) {
            time.runDue();
        }
        ProbeEvents.Event next = sink().events().poll(patience);
        if (next == null) {
            throw new AssertionError("expected " + expected + ", but nothing came in " + patience + " ("
                    + (withoutLimit ? "all" : outstanding) + " asked for)");
        }
        note(next);
        return next;
    }

    private void note(ProbeEvents.Event event) {
        if (lastSeen.size() == TOLD) {
            lastSeen.removeFirst();
            seenBefore++;
        }
        lastSeen.add(event);
        if (event instanceof ProbeEvents.Element) {
            outstanding--;
            if (withoutLimit && outstanding <= AHEAD / 2) {
                sink().request(AHEAD - outstanding);
                outstanding = AHEAD;
            }
        }
    }

    private String seen() {
        String others = seenBefore == 0 ? "" : seenBefore + " others, ";
        return others + lastSeen.stream().map(VerifierRun::described).toList();
    }

    private TestSink<T> sink() {
        if (sink == null) {
            throw new IllegalStateException("the source is not running");
        }
        return sink;
    }

    private static AssertionError unexpected(String expected, ProbeEvents.Event next) {
        String message = "expected " + expected + ", but saw " + described(next);
        return next instanceof ProbeEvents.Failed failed
                ? new AssertionError(message, failed.failure())
                : new AssertionError(message);
    }

    private static String described(ProbeEvents.Event event) {
        if (event instanceof ProbeEvents.Element element) {
            return "element " + element.value();
        }
        return event instanceof ProbeEvents.Failed failed ? "failure " + failed.failure() : "completion";
    }
}
