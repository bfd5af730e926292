package io.millrace.benchmarks.report;

/** One benchmark: measures ours and its peers in one run and hands the figures to the report. */
public interface Benchmark {
    /** What {@code bin/bench} calls it. */
    String name();

    /** One line that says what is measured beside what. */
    String summary();

    /** Measures; throws when the work that was timed was not really done. */
    void run(Setting setting, Report report) throws Exception;
}
