package io.millrace.benchmarks.engine;

import io.millrace.benchmarks.hub.Rounds;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.schedule.Schedulers;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Slow functions, two milliseconds an element: how long what one has returned takes to its consumer while the next call runs, how
 * long until a kill switch is heard, and how long others wait for their turn.
 */
public final class LatencyBenchmark implements Benchmark {
    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int SLOW_STREAMS = 4;

    /** The way from the slow function to the consumer. */
    private enum Way {
        FUSED {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return slow(elements);
            }
        },
        BLOCKING {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return slow(elements).withAttributes(Attributes.blocking());
            }
        },
        ELASTIC {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return slow(elements).async(Schedulers.elastic());
            }
        },
        BOUNDARY {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return Source.range(0, elements).map(n -> given()).async().map(given -> given);
            }
        },
        SMALL_BUFFER {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return slow(elements).async().map(given -> given).withAttributes(Attributes.inputBuffer(1));
            }
        },
        EXPANDED {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return Source.single(elements)
                        .mapConcat(count -> () ->
                                LongStream.range(0, count).map(n -> given()).iterator())
                        .async();
            }
        },
        PARALLEL {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return Source.range(0, elements)
                        .parallel(2, Flow.<Integer>create().map(n -> given()));
            }
        },
        PUBLISHER {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return Source.fromPublisher(slow(elements).runWith(Sink.asPublisher(), runtime));
            }
        },
        SHARED {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                return slow(elements).publish(runtime).refCount();
            }
        },
        HUB {
            @Override
            Source<Long, ?> source(int elements, StreamRuntime runtime) {
                BroadcastHubSettings settings = BroadcastHubSettings.defaults().withStartAfterConsumers(1);
                return slow(elements)
                        .runWith(BroadcastHub.sink(settings), runtime)
                        .source();
            }
        };

        abstract Source<Long, ?> source(int elements, StreamRuntime runtime);

        static Source<Long, ?> slow(int elements) {
            return Source.fromIterator(
                    () -> LongStream.range(0, elements).map(n -> given()).iterator());
        }
    }

    /** When the call returned, as an element. */
    private static long given() {
        LockSupport.parkNanos(CALL_NANOS);
        return System.nanoTime();
    }

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String summary() {
        return "what functions of 2 ms give on its way to an idle consumer, kill switches and other streams beside them, p99";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int elements = setting.count(2_000, 400);
        int rounds = setting.count(3, 1);
        for (Way way : Way.values()) {
            Rounds tail = new Rounds();
            for (int round = 0; round <= rounds; round++) {
                try (StreamRuntime runtime = twoThreads()) {
                    add(tail, round, delivery(way, elements, runtime));
                }
            }
            tail.report(way.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-p99", "us", Better.LOWER, report);
        }
        Rounds stop = new Rounds();
        Rounds turn = new Rounds();
        for (int round = 0; round <= rounds; round++) {
            try (StreamRuntime runtime = twoThreads()) {
                add(stop, round, stops(elements / 4, runtime));
                add(turn, round, turns(elements / 4, runtime));
            }
        }
        stop.report("kill-switch-p99", "us", Better.LOWER, report);
        turn.report("turn-beside-slow-streams-p99", "us", Better.LOWER, report);
    }

    private static StreamRuntime twoThreads() {
        return StreamRuntime.create(RuntimeSettings.defaults().withThreads(2));
    }

    /** The first round warms up. */
    private static void add(Rounds rounds, int round, Histogram micros) {
        if (round > 0) {
            rounds.add(Rounds.OURS, (double) micros.getValueAtPercentile(99));
        }
    }

    private static Histogram delivery(Way way, int elements, StreamRuntime runtime) {
        Histogram micros = new Histogram(3);
        way.source(elements, runtime)
                .runWith(Sink.foreach(given -> record(micros, given)), runtime)
                .toCompletableFuture()
                .join();
        if (micros.getTotalCount() != elements) {
            throw new IllegalStateException(way + ": " + micros.getTotalCount() + " of " + elements + " came");
        }
        return micros;
    }

    private static void record(Histogram micros, long fromNanos) {
        micros.recordValue(TimeUnit.NANOSECONDS.toMicros(Math.max(0, System.nanoTime() - fromNanos)));
    }

    private static Source<Long, ?> endless() {
        return Source.range(0, Integer.MAX_VALUE).map(n -> given());
    }

    private static Histogram stops(int count, StreamRuntime runtime) throws InterruptedException {
        Histogram micros = new Histogram(3);
        for (int i = 0; i < count; i++) {
            Pair<UniqueKillSwitch, CompletionStage<Done>> running = endless()
                    .killSwitch(Keep.right())
                    .toMat(Sink.ignore(), Keep.both())
                    .run(runtime);
            TimeUnit.MILLISECONDS.sleep(5);
            long asked = System.nanoTime();
            running.first().shutdown();
            running.second().toCompletableFuture().join();
            record(micros, asked);
        }
        return micros;
    }

    private static Histogram turns(int count, StreamRuntime runtime) {
        for (int i = 0; i < SLOW_STREAMS; i++) {
            endless().runWith(Sink.ignore(), runtime);
        }
        Histogram micros = new Histogram(3);
        for (int i = 0; i < count; i++) {
            long asked = System.nanoTime();
            Source.single(1)
                    .map(n -> n + 1)
                    .runWith(Sink.head(), runtime)
                    .toCompletableFuture()
                    .join();
            record(micros, asked);
        }
        return micros;
    }
}
