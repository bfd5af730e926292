package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lockstep broadcast: one stream, many consumers, each a run of its own with an executor hop; the slowest sets the pace.
 * A round broadcasts all elements as often as a second lasts; the first is longer, warms up and is not counted. A quick
 * run has the peers broadcast fewer elements the more consumers there are.
 */
public final class HubBenchmark implements Benchmark {
    private static final int ELEMENTS = 100_000;
    private static final List<Integer> BUFFERS = List.of(64, 256);
    private static final List<Integer> CONSUMERS = List.of(64, 256, 1000, 2000);
    private static final Map<String, Supplier<Fanout>> LIBRARIES = libraries();

    @Override
    public String name() {
        return "hub";
    }

    @Override
    public String summary() {
        return "lockstep broadcast to 64 .. 2 000 consumers beside Pekko, Reactor and RxJava";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        for (int buffer : BUFFERS) {
            for (int consumers : CONSUMERS) {
                compare(setting, report, new Point(consumers, buffer));
            }
        }
    }

    /** So many consumers behind a buffer of so many elements. */
    private record Point(int consumers, int buffer) {
        String workload() {
            return "hub-buffer" + buffer + "-consumers" + consumers;
        }
    }

    private static void compare(Setting setting, Report report, Point point) throws Exception {
        Rounds rates = new Rounds();
        Rounds bytes = new Rounds();
        int rounds = setting.count(3, 2);
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, Supplier<Fanout>> library : LIBRARIES.entrySet()) {
                int seconds = round == 0 ? setting.count(5, 2) : 1;
                Fanout.Outcome outcome = broadcast(library.getValue(), setting, point, seconds);
                if (round > 0) {
                    rates.add(library.getKey(), outcome.elementsPerSecond());
                    bytes.add(library.getKey(), outcome.bytesPerDelivery());
                }
            }
        }
        rates.report(point.workload(), "elements/s", Better.HIGHER, report);
        double ours = rates.median(Rounds.OURS);
        report.note(
                "%-34s deliveries/s %,.0f, %.3f bytes allocated per delivery",
                point.workload(), ours * point.consumers(), bytes.median(Rounds.OURS));
        report.progress("%s: ours %,.0f, pekko %,.0f elements/s", point.workload(), ours, rates.median("pekko"));
    }

    /** Broadcasts until so many seconds have been spent on it; every time with a hub and consumers of its own. */
    private static Fanout.Outcome broadcast(Supplier<Fanout> factory, Setting setting, Point point, double atLeast)
            throws Exception {
        double seconds = 0;
        double bytes = 0;
        long elements = 0;
        while (seconds < atLeast) {
            try (Fanout library = factory.get()) {
                Integer[] numbers = elements(setting, library, point.consumers());
                Fanout.Outcome outcome = Fanout.measure(library, numbers, point.consumers(), point.buffer());
                seconds += numbers.length / outcome.elementsPerSecond();
                bytes += numbers.length * outcome.bytesPerDelivery();
                elements += numbers.length;
            }
        }
        return new Fanout.Outcome(elements / seconds, bytes / elements);
    }

    private static Map<String, Supplier<Fanout>> libraries() {
        Map<String, Supplier<Fanout>> libraries = new LinkedHashMap<>();
        libraries.put(Rounds.OURS, MillraceFanout::new);
        libraries.put("pekko", PekkoFanout::new);
        libraries.put("reactor", ReactorFanout::new);
        libraries.put("rxjava", RxFanout::new);
        return libraries;
    }

    private static Integer[] elements(Setting setting, Fanout library, int consumers) {
        boolean isShort = setting.quick() && !library.name().equals(Rounds.OURS);
        int count = isShort ? ELEMENTS * 64 / consumers : ELEMENTS;
        return IntStream.range(0, count).boxed().toArray(Integer[]::new);
    }
}
