package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;

/**
 * From exec to the first durable send receipt to a client that is already running, on an empty data folder; then the
 * resident memory after a quiet while. The first round warms the client and is not counted.
 */
public final class StartupBenchmark implements Benchmark {
    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String summary() {
        return "exec to the first durable receipt, and idle memory, beside Pulsar standalone, on every JDK";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<BrokerProgram> programs = List.of(new BrokerProgram.Millrace(setting), new BrokerProgram.Pulsar(setting));
        for (BrokerProgram program : programs) {
            program.prepare();
        }
        Medians warmUp = new Medians();
        Medians medians = new Medians();
        int rounds = setting.count(7, 1);
        for (int round = 0; round <= rounds; round++) {
            for (Jdk jdk : Jdk.installed()) {
                for (BrokerProgram program : programs) {
                    Sample sample = sample(program, jdk, setting);
                    report.progress("round %d, JDK %d, %s: %s", round, jdk.version(), program.name(), sample);
                    sample.addTo(round == 0 ? warmUp : medians, program.name(), "-jdk" + jdk.version());
                }
            }
        }
        medians.report(report);
    }

    private record Sample(double receiptMillis, double cpuSeconds, double idleMegabytes) {
        void addTo(Medians medians, String broker, String suffix) {
            medians.add("startup" + suffix, "ms", broker, receiptMillis);
            medians.add("startup-cpu" + suffix, "s", broker, cpuSeconds);
            medians.add("idle-memory" + suffix, "MB", broker, idleMegabytes);
        }
    }

    private static Sample sample(BrokerProgram program, Jdk jdk, Setting setting) throws Exception {
        Path data = setting.emptyFolder("startup-" + program.name());
        long started = System.nanoTime();
        try (RunningBroker broker = program.start(data, jdk);
                PulsarClient client = BenchmarkClient.connect(broker.url());
                Producer<byte[]> producer = BenchmarkClient.producer(broker, client, "startup")) {
            producer.send(new byte[100]);
            double receiptMillis = (System.nanoTime() - started) / 1e6;
            double cpuSeconds = broker.cpuTime().toNanos() / 1e9;
            TimeUnit.SECONDS.sleep(setting.count(15, 3));
            return new Sample(receiptMillis, cpuSeconds, broker.residentBytes() / 1e6);
        }
    }
}
