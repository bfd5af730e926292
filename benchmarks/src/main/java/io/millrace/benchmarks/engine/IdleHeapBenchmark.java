package io.millrace.benchmarks.engine;

import io.millrace.benchmarks.hub.PekkoSystem;
import io.millrace.benchmarks.hub.Rounds;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;
import reactor.core.publisher.Flux;

/** Bytes of heap that a stream of five operators and one boundary holds while nothing comes. */
public final class IdleHeapBenchmark implements Benchmark {
    @Override
    public String name() {
        return "idle-heap";
    }

    @Override
    public String summary() {
        return "heap of an idle stream of 5 operators and 1 boundary beside Pekko, Reactor and RxJava";
    }

    @Override
    public void run(Setting setting, Report report) throws InterruptedException {
        int streams = setting.count(20_000, 5_000);
        Rounds bytes = new Rounds();
        for (int round = 0; round < setting.count(5, 3); round++) {
            try (StreamRuntime runtime = StreamRuntime.create()) {
                RunnableGraph<?> graph = Source.<Integer>never()
                        .map(x -> x + 1)
                        .filter(x -> x > 0)
                        .async()
                        .map(x -> x * 2)
                        .toMat(Sink.ignore(), Keep.right());
                bytes.add(Rounds.OURS, measure(streams, () -> graph.run(runtime)));
            }
            ActorSystem system = PekkoSystem.start();
            try {
                var graph = org.apache.pekko.stream.javadsl.Source.<Integer>never()
                        .map(x -> x + 1)
                        .filter(x -> x > 0)
                        .async()
                        .map(x -> x * 2)
                        .toMat(
                                org.apache.pekko.stream.javadsl.Sink.ignore(),
                                org.apache.pekko.stream.javadsl.Keep.right());
                bytes.add("pekko", measure(streams, () -> graph.run(system)));
            } finally {
                PekkoSystem.stop(system);
            }
            bytes.add("reactor", measure(streams, IdleHeapBenchmark::reactor));
            bytes.add("rxJava", measure(streams, IdleHeapBenchmark::rxJava));
        }
        bytes.report("idle-heap", "bytes", Better.LOWER, report);
    }

    private static Object reactor() {
        return Flux.<Integer>never()
                .map(x -> x + 1)
                .filter(x -> x > 0)
                .publishOn(reactor.core.scheduler.Schedulers.parallel())
                .map(x -> x * 2)
                .subscribe();
    }

    private static Object rxJava() {
        return Flowable.<Integer>never()
                .map(x -> x + 1)
                .filter(x -> x > 0)
                .observeOn(io.reactivex.rxjava3.schedulers.Schedulers.computation())
                .map(x -> x * 2)
                .subscribe();
    }

    /** What each of so many runs holds, given what it hands back is held. */
    private static double measure(int streams, Supplier<?> run) throws InterruptedException {
        List<Object> held = new ArrayList<>(streams);
        held.add(run.get());
        long before = usedBytes();
        for (int i = 0; i < streams; i++) {
            held.add(run.get());
        }
        long after = usedBytes();
        if (held.size() != streams + 1) {
            throw new IllegalStateException("streams are missing");
        }
        return (double) (after - before) / streams;
    }

    private static long usedBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
