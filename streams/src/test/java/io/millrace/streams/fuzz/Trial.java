package io.millrace.streams.fuzz;

import io.millrace.streams.RunnableGraph;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.segment.Heat;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.fuzz.Ending.Seen;
import io.millrace.testkit.StreamLeakCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs a program in the library and in the interpreter, and says how they differ. */
final class Trial implements AutoCloseable {
    /** How a program is run. */
    enum Mode {
        COLD,
        SAMPLED,
        HOT,
        HOT_FROM_OBJECTS,
        HOT_BY_KINDS,
        SHUFFLED,
        HELPED;

        /** Whether classes are made for it. */
        boolean isHot() {
            return this == HOT || this == HOT_FROM_OBJECTS || this == HOT_BY_KINDS;
        }
    }

    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();

    private final List<StreamException> reported = new CopyOnWriteArrayList<>();
    private StreamRuntime runtime = StreamRuntime.create(settings());

    private RuntimeSettings settings() {
        return RuntimeSettings.defaults().withName("fuzz").withThreads(2).withFailureReporter(reported::add);
    }

    /** Streams that are left would be taken for those of the next program. */
    private void begin() {
        runtime.close();
        runtime = StreamRuntime.create(settings());
    }

    @Override
    public void close() {
        watch.shutdownNow();
        runtime.close();
    }

    /** What is wrong, or null. */
    @Nullable
    String problem(Program program, Mode mode, long seed) throws InterruptedException {
        if (mode != Mode.SHUFFLED) {
            return problem(program, mode, runtime);
        }
        RuntimeSettings shuffled = settings().withThreads(1).withShuffleSeed(seed);
        try (StreamRuntime own = StreamRuntime.create(shuffled)) {
            return problem(program, mode, own);
        }
    }

    private @Nullable String problem(Program program, Mode mode, StreamRuntime on) throws InterruptedException {
        Interpretation run = new Interpretation();
        Seen expected = program.ending().interpreted(program.line().interpreted(run, true));
        boolean isExact = program.isExact() && !run.isDrained();
        AtomicInteger pulls = new AtomicInteger();
        List<Object> recorded = new CopyOnWriteArrayList<>();
        RunnableGraph<?> graph =
                program.ending().graph(program.line().source(pulls), recorded).named("fuzzed");
        Heat heat = Heat.of(graph);
        if (mode == Mode.HOT || mode == Mode.HOT_FROM_OBJECTS) {
            heat.specialise(mode == Mode.HOT);
        } else if (mode == Mode.HOT_BY_KINDS) {
            heat.specialiseByKinds();
        } else if (mode == Mode.SAMPLED) {
            heat.warm();
        }
        for (int i = 0; i < (mode == Mode.SAMPLED ? 2 : 1); i++) {
            pulls.set(0);
            recorded.clear();
            reported.clear();
            Seen seen;
            try {
                Ending.Wait wait = mode == Mode.HELPED ? this::helped : Ending::await;
                seen = program.ending().awaited(heat.run(on), recorded, wait);
                StreamLeakCheck.assertNoStreams(on);
            } catch (TimeoutException | AssertionError e) {
                String left = on.snapshot().toText();
                begin();
                return "it does not end: " + e.getClass() + "\n" + left;
            }
            String difference = difference(expected, run, seen);
            difference = difference == null ? misreported(isExact ? run.failures : List.of()) : difference;
            if (difference == null && isExact && pulls.get() != run.pulls) {
                difference = "it took " + pulls + " elements of its origin, not " + run.pulls;
            }
            if (difference != null) {
                return difference + "; reported " + reported;
            }
        }
        return null;
    }

    /** Waits as long as it takes, which has this thread run the stream; another one sees to it that it does not take for ever. */
    private Object helped(CompletionStage<?> value) throws ExecutionException, InterruptedException, TimeoutException {
        Future<?> late = watch.schedule(Thread.currentThread()::interrupt, 10, TimeUnit.SECONDS);
        try {
            return value.toCompletableFuture().get();
        } catch (ExecutionException e) {
            return Ending.await(value); // which has the failure as it is
        } catch (InterruptedException e) {
            throw new TimeoutException("whoever waited was interrupted");
        } finally {
            late.cancel(false);
        }
    }

    private static @Nullable String difference(Seen expected, Interpretation run, Seen seen) {
        if (run.isOpen()) {
            return isKnown(seen.failure()) ? null : "it failed with " + seen.failure();
        }
        boolean isSame = expected.elements().equals(seen.elements()) && isSame(expected.failure(), seen.failure());
        return isSame ? null : "it gave " + seen + ", not " + expected;
    }

    /** Whether it is a failure as functions, sources or operators of a program give it, and nothing made of one. */
    private static boolean isKnown(@Nullable Throwable failure) {
        return failure == null
                || !Fault.stepOf(failure).isEmpty()
                || failure instanceof NullPointerException
                || failure instanceof NoSuchElementException
                || failure instanceof StreamLimitReachedException
                || failure instanceof UnsupportedOperationException
                || failure instanceof TimeoutException
                || "from outside".equals(failure.getMessage());
    }

    private static boolean isSame(@Nullable Throwable expected, @Nullable Throwable seen) {
        if (expected == null || seen == null) {
            return expected == seen;
        }
        if (expected.getClass() == NullPointerException.class) {
            return seen instanceof NullPointerException && names(seen, String.valueOf(expected.getMessage()));
        }
        return expected.getClass() == seen.getClass()
                && (Fault.stepOf(expected).isEmpty() || Objects.equals(expected.getMessage(), seen.getMessage()));
    }

    private static boolean names(Throwable failure, String step) {
        return Pattern.compile("\\b" + step + "/")
                .matcher(String.valueOf(failure.getMessage()))
                .find();
    }

    /** A failure is reported where it came up, and what has come up was reported. */
    private @Nullable String misreported(List<Failed> failures) {
        List<String> messages = new ArrayList<>();
        for (StreamException report : reported) {
            Throwable cause = Objects.requireNonNull(report.getCause(), "cause");
            String step = Fault.stepOf(cause);
            if (cause instanceof CompletionException) {
                return "a failure is reported as a future wraps it";
            }
            if (!step.isEmpty() && !names(report, step)) {
                return "what " + step + " has thrown is reported of another";
            }
            if (!step.isEmpty()) {
                messages.add(cause.getMessage());
            }
        }
        List<String> expected = failures.stream()
                .map(Failed::failure)
                .filter(failure -> !Fault.stepOf(failure).isEmpty())
                .map(failure -> String.valueOf(failure.getMessage()))
                .toList();
        return expected.isEmpty() || expected.equals(messages) ? null : "these were to be reported: " + expected;
    }
}
