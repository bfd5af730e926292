package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.List;
import java.util.Random;

/**
 * Four ways to know where the slowest consumer is, without streams around them. In {@code lockstep}, all consumers announce
 * each half buffer, in a new order each time, and the head is asked for once per half buffer; in {@code straggler}, one of
 * them announces at a time, as when a few are slow, and the head is asked for after each.
 */
public final class HubDesignsBenchmark implements Benchmark {
    private static final int BUFFER = 64;
    private static final long HALF = BUFFER / 2;

    @Override
    public String name() {
        return "hub-designs";
    }

    @Override
    public String summary() {
        return "the consumer wheel as array list, keyed map, intrusive list and cursor scan";
    }

    @Override
    public void run(Setting setting, Report report) {
        for (int consumers : new int[] {64, 256, 1000, 2000}) {
            Rounds lockstep = new Rounds();
            Rounds straggler = new Rounds();
            int rounds = setting.count(5, 3);
            for (int round = -1; round < rounds; round++) {
                boolean isCounted = round >= 0;
                designs()
                        .forEach(wheel -> sample(
                                lockstep,
                                isCounted,
                                wheel,
                                lockstep(wheel, consumers, setting.count(4_000_000, 400_000) / consumers)));
                designs()
                        .forEach(wheel -> sample(
                                straggler,
                                isCounted,
                                wheel,
                                straggler(wheel, consumers, setting.count(400_000, 40_000))));
            }
            lockstep.report("wheel-lockstep-consumers" + consumers, "ns/move", Better.LOWER, report);
            straggler.report("wheel-straggler-consumers" + consumers, "ns/move", Better.LOWER, report);
        }
    }

    private static void sample(Rounds rounds, boolean isCounted, Wheel wheel, double nanos) {
        if (isCounted) {
            rounds.add(wheel.name(), nanos);
        }
    }

    private static List<Wheel> designs() {
        return List.of(
                new IntrusiveListWheel(BUFFER),
                new ArrayListWheel(BUFFER),
                new KeyedMapWheel(BUFFER),
                new CursorScan());
    }

    private static double lockstep(Wheel wheel, int consumers, int batches) {
        wheel.fill(consumers);
        int[][] orders = new int[16][];
        Random random = new Random(1);
        for (int i = 0; i < orders.length; i++) {
            orders[i] = shuffled(consumers, random);
        }
        long head = 0;
        long started = System.nanoTime();
        for (int batch = 1; batch <= batches; batch++) {
            long to = batch * HALF;
            for (int consumer : orders[batch % orders.length]) {
                wheel.move(consumer, to);
            }
            head = wheel.advance(head, to);
            require(wheel, head == to, "stands at " + head + ", not at " + to);
        }
        return (double) (System.nanoTime() - started) / ((long) batches * consumers);
    }

    private static double straggler(Wheel wheel, int consumers, int moves) {
        wheel.fill(consumers);
        for (int consumer = 1; consumer < consumers; consumer++) {
            wheel.move(consumer, HALF);
        }
        long head = 0;
        long started = System.nanoTime();
        for (int move = 0; move < moves; move++) {
            long turn = move / consumers;
            long to = (turn + 1) * HALF;
            int consumer = move % consumers;
            wheel.move(consumer, consumer == 0 ? to : to + HALF);
            head = wheel.advance(head, to + HALF);
            require(wheel, head == to, "stands at " + head + ", not at " + to);
        }
        return (double) (System.nanoTime() - started) / moves;
    }

    private static int[] shuffled(int count, Random random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }

    private static void require(Wheel wheel, boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(wheel.name() + " " + otherwise);
        }
    }
}
