package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.report.Figure.Better;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.MultisetStatistics;

/** What was measured of one library at one workload: an iteration is a sample. Not thread-safe. */
final class Samples {
    private final MultisetStatistics values = new MultisetStatistics();
    private final String unit;
    private final Better better;
    private double bytesPerOperation;

    /** Empty, in that result's unit. */
    Samples(RunResult result) {
        unit = result.getPrimaryResult().getScoreUnit().replace(' ', '-');
        better = result.getParams().getMode() == Mode.Throughput ? Better.HIGHER : Better.LOWER;
    }

    /** Adds the iterations of one fork. */
    void add(RunResult result) {
        result.getPrimaryResult().getStatistics().getRawData().forEachRemaining(this::add);
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        bytesPerOperation = allocated == null ? Double.NaN : allocated.getScore();
    }

    private void add(Map.Entry<Double, Long> value) {
        values.addValue(value.getKey(), value.getValue());
    }

    double median() {
        return values.getPercentile(50);
    }

    String unit() {
        return unit;
    }

    Better better() {
        return better;
    }

    @Override
    public String toString() {
        return String.format(
                "median of %d: least %,.3f, greatest %,.3f; %,.1f B/op",
                values.getN(), values.getMin(), values.getMax(), bytesPerOperation);
    }
}
