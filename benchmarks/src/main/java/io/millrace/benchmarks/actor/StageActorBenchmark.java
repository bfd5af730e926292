package io.millrace.benchmarks.actor;

import com.sun.management.ThreadMXBean;
import io.millrace.benchmarks.hub.Rounds;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Tells a second from 1, 2 and 4 threads to a handler that counts and to one that pushes, until every message has had its
 * effect; the drain batch swept, with what it costs other events; and the time from a tell to an idle stage to its handler.
 */
public final class StageActorBenchmark implements Benchmark {
    private static final int DEFAULT_BATCH = 16;
    private static final long LOOK_NANOS = 20_000;

    @Override
    public String name() {
        return "stage-actor";
    }

    @Override
    public String summary() {
        return "tells a second from 1, 2 and 4 threads, and tell to handler when idle, beside Pekko";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int messages = setting.count(4_000_000, 1_000_000);
        for (boolean pushing : new boolean[] {false, true}) {
            for (int producers : new int[] {1, 2, 4}) {
                String workload = "tells-" + (pushing ? "pushing" : "counting") + "-" + producers;
                Rounds rates = new Rounds();
                for (int round = -2; round < setting.count(10, 4); round++) {
                    measure(new MillraceTold(pushing, DEFAULT_BATCH), producers, messages, round, rates);
                    measure(new PekkoTold(pushing), producers, messages / 4, round, rates);
                }
                rates.report(workload, "tells/s", Better.HIGHER, report);
                report.progress("%s: %.1f M/s", workload, rates.median(Rounds.OURS) / 1e6);
            }
        }
        sweepBatch(setting, report, messages);
        idleLatency(setting, report);
        report.note("bytes allocated per tell by the sender: %.1f", bytesPerTell());
    }

    private static void measure(Told stage, int producers, int messages, int round, Rounds rates) throws Exception {
        try (stage) {
            double rate = rate(stage, producers, messages);
            if (round >= 0) {
                rates.add(stage.name(), rate);
            }
        }
    }

    /** The stage's threads are warm from the rounds before; each round has a stage of its own. */
    private static double rate(Told stage, int producers, int messages) throws InterruptedException {
        Consumer<Integer> address = stage.address();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        int each = messages / producers;
        for (int i = 0; i < producers; i++) {
            Thread thread = new Thread(() -> tell(address, each, start), "producer-" + i);
            thread.start();
            threads.add(thread);
        }
        long started = System.nanoTime();
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        awaitEffects(stage, (long) each * producers);
        return (double) each * producers * 1e9 / (System.nanoTime() - started);
    }

    private static void tell(Consumer<Integer> address, int messages, CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        for (int i = 0; i < messages; i++) {
            address.accept(i & 127);
        }
    }

    /** Looks now and then only: a thread that reads the count all the time slows the handler that writes it. */
    private static void awaitEffects(Told stage, long expected) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (stage.effects() < expected) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        stage.name() + " lost messages: " + stage.effects() + " of " + expected + " had an effect");
            }
        }
    }

    /** The rate by how many messages are handled in a row, and how long other events of the stage wait meanwhile. */
    private static void sweepBatch(Setting setting, Report report, int messages) throws Exception {
        for (int batch : new int[] {1, 4, 8, 16, 64}) {
            Rounds rates = new Rounds();
            List<Long> waits = new ArrayList<>();
            for (int round = -1; round < setting.count(5, 3); round++) {
                measure(new MillraceTold(false, batch), 1, messages, round, rates);
                waits.addAll(waitsOfOtherEvents(batch, messages));
            }
            waits.sort(null);
            report.note(
                    "tells-counting-1, drain batch %d: %.1f M/s; another event waits %.1f us, p99 %.1f us",
                    batch,
                    rates.median(Rounds.OURS) / 1e6,
                    waits.get(waits.size() / 2) / 1e3,
                    waits.get(waits.size() * 99 / 100) / 1e3);
        }
    }

    private static List<Long> waitsOfOtherEvents(int batch, int messages) throws InterruptedException {
        List<Long> waits = new ArrayList<>();
        try (MillraceTold stage = new MillraceTold(false, batch)) {
            Consumer<Integer> address = stage.address();
            Thread flood = new Thread(() -> tell(address, messages, new CountDownLatch(0)), "flood");
            flood.start();
            while (flood.isAlive()) {
                long before = System.nanoTime();
                waits.add(stage.otherEvent().join() - before);
                LockSupport.parkNanos(LOOK_NANOS);
            }
            awaitEffects(stage, messages);
        }
        return waits;
    }

    /** Tells one message at a time to a stage that has had nothing to do for a while. */
    private static void idleLatency(Setting setting, Report report) {
        Rounds median = new Rounds();
        Rounds tail = new Rounds();
        for (int round = -1; round < setting.count(5, 3); round++) {
            for (Told stage : List.of(new MillraceTold(false, DEFAULT_BATCH), new PekkoTold(false))) {
                long[] nanos = latencies(stage, setting.count(5_000, 1_000));
                if (round >= 0) {
                    median.add(stage.name(), nanos[nanos.length / 2] / 1e3);
                    tail.add(stage.name(), nanos[nanos.length * 99 / 100] / 1e3);
                }
            }
        }
        median.report("tell-to-idle-p50", "us", Better.LOWER, report);
        tail.report("tell-to-idle-p99", "us", Better.LOWER, report);
    }

    private static long[] latencies(Told told, int samples) {
        try (told) {
            return sampled(told, samples);
        }
    }

    private static long[] sampled(Told stage, int samples) {
        Consumer<Integer> address = stage.address();
        long[] nanos = new long[samples];
        for (int i = 0; i < samples; i++) {
            pause();
            long before = System.nanoTime();
            address.accept(1);
            while (stage.effects() <= i) {
                Thread.onSpinWait();
            }
            nanos[i] = System.nanoTime() - before;
        }
        java.util.Arrays.sort(nanos);
        return nanos;
    }

    private static void pause() {
        long until = System.nanoTime() + 200_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private static double bytesPerTell() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (MillraceTold stage = new MillraceTold(false, DEFAULT_BATCH)) {
            Consumer<Integer> address = stage.address();
            int count = 100_000;
            address.accept(1);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < count; i++) {
                address.accept(1);
            }
            double bytes = (double) (threads.getCurrentThreadAllocatedBytes() - before) / count;
            awaitEffects(stage, count + 1);
            return bytes;
        }
    }
}
