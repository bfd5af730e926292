package io.millrace.testkit;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.ThrowingConsumer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs a scenario many times on runtimes that handle their events in an order drawn from a seed, on one thread: what a
 * stage may not count on then changes from round to round. A failing round names its seed, with which it can be run
 * again alone.
 */
public final class EventFuzz {
    private EventFuzz() {}

    /** Runs the scenario this many times, with seeds drawn from one that is new each time. */
    public static void run(int rounds, ThrowingConsumer<StreamRuntime> scenario) {
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < rounds; i++) {
            runOnce(seeds.nextLong(), scenario);
        }
    }

    /** Runs the scenario once, with this seed; no stream may be left afterwards. */
    public static void runOnce(long seed, ThrowingConsumer<StreamRuntime> scenario) {
        List<StreamException> reported = Collections.synchronizedList(new ArrayList<>());
        RuntimeSettings settings = RuntimeSettings.defaults()
                .withName("fuzz")
                .withThreads(1)
                .withShuffleSeed(seed)
                .withFailureReporter(reported::add);
        try (StreamRuntime runtime = StreamRuntime.create(settings)) {
            scenario.accept(runtime);
            StreamLeakCheck.assertNoStreams(runtime);
        } catch (Throwable failure) {
            AssertionError told = new AssertionError("failed with seed " + seed + "L: " + failure, failure);
            reported.forEach(told::addSuppressed);
            throw told;
        }
    }
}
