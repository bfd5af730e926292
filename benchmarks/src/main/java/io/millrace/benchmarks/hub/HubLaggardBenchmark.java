package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A thousand consumers with and without one more that takes a millisecond for each element and drops the oldest when it
 * lags: what the thousand keep of their rate.
 */
public final class HubLaggardBenchmark implements Benchmark {
    private static final int CONSUMERS = 1000;
    private static final int BUFFER = 256;

    @Override
    public String name() {
        return "hub-laggard";
    }

    @Override
    public String summary() {
        return "one slow consumer that drops the oldest among 1 000, beside the same without it";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Integer[] elements =
                IntStream.range(0, setting.count(200_000, 50_000)).boxed().toArray(Integer[]::new);
        Rounds rates = new Rounds();
        for (int round = 0; round <= setting.count(7, 3); round++) {
            for (Fanout library : List.of(MillraceFanout.withLaggard(), new MillraceFanout())) {
                Fanout.Outcome outcome = Fanout.measure(library, elements, CONSUMERS, BUFFER);
                library.close();
                if (round > 0) {
                    String name = library.name().equals(Rounds.OURS) ? "without-laggard" : Rounds.OURS;
                    rates.add(name, outcome.elementsPerSecond());
                }
            }
        }
        rates.report("hub-laggard-consumers" + CONSUMERS, "elements/s", Better.HIGHER, report);
    }
}
