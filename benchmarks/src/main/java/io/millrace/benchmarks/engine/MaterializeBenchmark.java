package io.millrace.benchmarks.engine;

import io.millrace.benchmarks.hub.PekkoSystem;
import io.millrace.benchmarks.hub.Rounds;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import io.millrace.streams.StreamRuntime;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;

/**
 * Microseconds of {@code run()} alone, of a run to its completion, and of a graph that is built anew for each run, by
 * shape and size. Rounds of the libraries are interleaved; those before the first counted one warm up, for a time that is the same for all.
 */
public final class MaterializeBenchmark implements Benchmark {
    private static final List<String> SHAPES = List.of("linear", "imported-flow", "gradual", "immediate");
    private static final String MICROS = "us";
    private static final long WARM_UP_NANOS = 400_000_000;

    @Override
    public String name() {
        return "materialize";
    }

    @Override
    public String summary() {
        return "run(), run to completion, and build + run, by shape and size, beside Pekko and RxJava";
    }

    @Override
    public void run(Setting setting, Report report) {
        ActorSystem system = PekkoSystem.start();
        try (StreamRuntime runtime = StreamRuntime.create()) {
            for (String shape : SHAPES) {
                for (int n : List.of(100, 200, 500, 1000)) {
                    compare(shape, n, setting, report, new Libraries(runtime, system));
                }
            }
        } finally {
            PekkoSystem.stop(system);
        }
    }

    private record Libraries(StreamRuntime runtime, ActorSystem system) {}

    /** A run that gives back what completes when it is done. */
    private record Runs(Supplier<? extends CompletionStage<?>> reused, Supplier<? extends CompletionStage<?>> fresh) {}

    private static void compare(String shape, int n, Setting setting, Report report, Libraries libraries) {
        Rounds runOnly = new Rounds();
        Rounds completed = new Rounds();
        Rounds fresh = new Rounds();
        Runs ours = ours(shape, n, libraries.runtime());
        Runs pekko = pekko(shape, n, libraries.system());
        int counted = setting.count(15, 5);
        for (int round = -setting.count(10, 5); round < counted; round++) {
            int runs = Math.max(20, setting.count(200_000, 50_000) / n / (shape.equals("gradual") ? 10 : 1));
            measure(Rounds.OURS, ours, runs, round >= 0, List.of(runOnly, completed, fresh));
            measure("pekko", pekko, Math.max(10, runs / 4), round >= 0, List.of(runOnly, completed, fresh));
            if (shape.equals("linear")) {
                measure("rxJava", rxJava(n), runs, round >= 0, List.of(runOnly, completed, fresh));
            }
        }
        String suffix = "-" + shape + "-" + n;
        runOnly.report("run" + suffix, MICROS, Better.LOWER, report);
        completed.report("complete" + suffix, MICROS, Better.LOWER, report);
        fresh.report("build-and-run" + suffix, MICROS, Better.LOWER, report);
        report.progress(
                "%s %d: run ours %.1f, pekko %.1f us", shape, n, runOnly.median(Rounds.OURS), runOnly.median("pekko"));
    }

    private static void measure(String library, Runs runs, int count, boolean counted, List<Rounds> into) {
        if (counted) {
            measure(library, runs, count, into);
            return;
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP_NANOS) {
            measure(library, runs, count, List.of(new Rounds(), new Rounds(), new Rounds()));
        }
    }

    private static void measure(String library, Runs runs, int count, List<Rounds> into) {
        long running = 0;
        long started = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long before = System.nanoTime();
            CompletionStage<?> done = runs.reused().get();
            running += System.nanoTime() - before;
            done.toCompletableFuture().join();
        }
        long total = System.nanoTime() - started;
        long building = 0;
        for (int i = 0; i < count; i++) {
            long before = System.nanoTime();
            CompletionStage<?> done = runs.fresh().get();
            building += System.nanoTime() - before;
            done.toCompletableFuture().join();
        }
        into.get(0).add(library, running / 1e3 / count);
        into.get(1).add(library, total / 1e3 / count);
        into.get(2).add(library, building / 1e3 / count);
    }

    private static Runs ours(String shape, int n, StreamRuntime runtime) {
        var graph = Wiring.graph(shape, n);
        return new Runs(() -> graph.run(runtime), () -> Wiring.graph(shape, n).run(runtime));
    }

    private static Runs pekko(String shape, int n, ActorSystem system) {
        var graph = PekkoWiring.graph(shape, n);
        return new Runs(
                () -> graph.run(system), () -> PekkoWiring.graph(shape, n).run(system));
    }

    /** RxJava has no blueprint: assembling and subscribing is its run, and it runs on the spot. */
    private static Runs rxJava(int n) {
        Supplier<CompletionStage<?>> run = () -> {
            Flowable<Integer> flow = Flowable.just(1);
            for (int i = 0; i < n; i++) {
                flow = flow.map(x -> x);
            }
            flow.ignoreElements().subscribe();
            return CompletableFuture.completedFuture(1);
        };
        return new Runs(run, run);
    }
}
