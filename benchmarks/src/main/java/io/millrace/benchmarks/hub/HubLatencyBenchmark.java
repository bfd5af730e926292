package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One element to 2 000 waiting consumers: the time from the offer until each has it. */
public final class HubLatencyBenchmark implements Benchmark {
    private static final int CONSUMERS = 2000;
    private static final int BUFFER = 64;

    @Override
    public String name() {
        return "hub-latency";
    }

    @Override
    public String summary() {
        return "one element to 2 000 waiting consumers beside Pekko, p50 and p99";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Rounds median = new Rounds();
        Rounds tail = new Rounds();
        for (int round = 0; round <= setting.count(3, 1); round++) {
            for (LiveHub hub : List.of(new MillraceLiveHub(), new PekkoLiveHub())) {
                Histogram micros = measure(hub, setting.count(500, 100));
                hub.close();
                if (round > 0) {
                    median.add(hub.name(), (double) micros.getValueAtPercentile(50));
                    tail.add(hub.name(), (double) micros.getValueAtPercentile(99));
                }
            }
        }
        median.report("hub-latency-p50", "us", Better.LOWER, report);
        tail.report("hub-latency-p99", "us", Better.LOWER, report);
    }

    /** Sends one element at a time, the first half to warm up. */
    private static Histogram measure(LiveHub hub, int elements) throws Exception {
        long[] receivedNanos = new long[CONSUMERS];
        Phaser phaser = new Phaser(CONSUMERS + 1);
        hub.feed(BUFFER);
        for (int i = 0; i < CONSUMERS; i++) {
            int index = i;
            hub.attach(element -> {
                receivedNanos[index] = System.nanoTime();
                phaser.arrive();
            });
        }
        TimeUnit.SECONDS.sleep(1);
        Histogram micros = new Histogram(3);
        for (int element = 0; element < elements; element++) {
            long offered = System.nanoTime();
            hub.offer(element);
            phaser.awaitAdvanceInterruptibly(phaser.arrive(), 1, TimeUnit.MINUTES);
            if (element >= elements / 2) {
                for (long nanos : receivedNanos) {
                    micros.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos - offered));
                }
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return micros;
    }
}
