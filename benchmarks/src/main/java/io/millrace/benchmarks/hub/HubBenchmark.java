package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.Benchmark;
import io.millrace.benchmarks.Figure.Better;
import io.millrace.benchmarks.Report;
import io.millrace.benchmarks.Setting;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lockstep broadcast: one stream, many consumers, each a run of its own with an executor hop; the slowest sets the pace.
 * The first round warms up and is not counted; a quick run has the peers broadcast fewer elements the more consumers there are.
 */
public final class HubBenchmark implements Benchmark {
    private static final int ELEMENTS = 100_000;
    private static final List<Integer> BUFFERS = List.of(64, 256);
    private static final List<Integer> CONSUMERS = List.of(64, 256, 1000, 2000);

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
                compare(setting, report, consumers, buffer);
            }
        }
    }

    private static void compare(Setting setting, Report report, int consumers, int buffer) throws Exception {
        String workload = "hub-buffer" + buffer + "-consumers" + consumers;
        Rounds rates = new Rounds();
        Rounds bytes = new Rounds();
        int rounds = setting.count(3, 2);
        for (int round = 0; round <= rounds; round++) {
            for (Fanout library : libraries()) {
                Fanout.Outcome outcome =
                        Fanout.measure(library, elements(setting, library, consumers), consumers, buffer);
                library.close();
                if (round > 0) {
                    rates.add(library.name(), outcome.elementsPerSecond());
                    bytes.add(library.name(), outcome.bytesPerDelivery());
                }
            }
        }
        rates.report(workload, "elements/s", Better.HIGHER, report);
        double ours = rates.median(Rounds.OURS);
        report.note(
                "%-34s deliveries/s %,.0f, %.3f bytes allocated per delivery",
                workload, ours * consumers, bytes.median(Rounds.OURS));
        report.progress("%s: ours %,.0f, pekko %,.0f elements/s", workload, ours, rates.median("pekko"));
    }

    private static List<Fanout> libraries() {
        return List.of(new MillraceFanout(), new PekkoFanout(), new ReactorFanout(), new RxFanout());
    }

    private static Integer[] elements(Setting setting, Fanout library, int consumers) {
        boolean isShort = setting.quick() && !library.name().equals(Rounds.OURS);
        int count = isShort ? ELEMENTS * 64 / consumers : ELEMENTS;
        return IntStream.range(0, count).boxed().toArray(Integer[]::new);
    }
}
