package io.millrace.benchmarks;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/** The program behind {@code bin/bench}. Exit codes: 0 measured, 1 failed, 2 called wrongly. */
public final class Launcher {
    private static final String USAGE = """
            usage: bin/bench NAME [--quick] [--data DIR]
                   bin/bench --list
            --quick   a rough answer in a minute or two
            --data    a folder on the disk to measure (default benchmarks/target/data)""";

    private Launcher() {}

    /** Runs the benchmark that the arguments name; the system property millrace.home is the repository's folder. */
    public static void main(String[] arguments) {
        System.exit(run(Path.of(System.getProperty("millrace.home", ".")), arguments));
    }

    private static int run(Path home, String... arguments) {
        String name = "";
        boolean quick = false;
        Path data = home.resolve("benchmarks/target/data");
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--list" -> {
                    return list();
                }
                case "--help", "-h" -> {
                    return explain(System.out, 0);
                }
                case "--quick" -> quick = true;
                case "--data" -> data = Path.of(++i < arguments.length ? arguments[i] : "");
                default -> {
                    if (!name.isEmpty()) {
                        return explain(System.err, 2);
                    }
                    name = arguments[i];
                }
            }
        }
        Optional<Benchmark> benchmark = Benchmarks.named(name);
        if (benchmark.isEmpty()) {
            System.err.println(name.isEmpty() ? "Name a benchmark." : "There is no benchmark '" + name + "'.");
            return explain(System.err, 2);
        }
        return measure(benchmark.get(), new Setting(home, quick, data));
    }

    private static int measure(Benchmark benchmark, Setting setting) {
        Report report = new Report(benchmark.name(), System.out);
        try {
            benchmark.run(setting, report);
            report.print();
            report.progress("stored in %s", report.store(setting));
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (Exception e) {
            System.err.println(benchmark.name() + " failed: " + e);
            e.printStackTrace();
            return 1;
        }
    }

    private static int list() {
        Benchmarks.ALL.forEach(benchmark -> System.out.printf("%-18s %s%n", benchmark.name(), benchmark.summary()));
        return 0;
    }

    private static int explain(PrintStream out, int exitCode) {
        out.println(USAGE);
        list();
        return exitCode;
    }
}
