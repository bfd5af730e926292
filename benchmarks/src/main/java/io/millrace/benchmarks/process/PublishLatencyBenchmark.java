package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;

/**
 * 1 KB messages, unbatched, at 1 000 a second in an open loop, one broker at a time on the same disk; beside it what
 * the disk itself takes for one durable write of that size.
 */
public final class PublishLatencyBenchmark implements Benchmark {
    private static final int MESSAGE_BYTES = 1024;
    private static final int MESSAGES_PER_SECOND = 1000;
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1) / MESSAGES_PER_SECOND;

    @Override
    public String name() {
        return "publish-latency";
    }

    @Override
    public String summary() {
        return "1 KB unbatched at 1 000/s, open loop, p50, p99 and CPU, beside Pulsar and the disk's own fdatasync";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<BrokerProgram> programs = List.of(new BrokerProgram.Millrace(setting), new BrokerProgram.Pulsar(setting));
        for (BrokerProgram program : programs) {
            program.prepare();
        }
        Medians medians = new Medians();
        Medians device = new Medians();
        int rounds = setting.count(5, 1);
        for (int round = 1; round <= rounds; round++) {
            measureDevice(setting, device);
            for (BrokerProgram program : programs) {
                Sample sample = sample(program, setting);
                report.progress("round %d, %s: %s", round, program.name(), sample);
                medians.add("publish-latency-p50", "ms", program.name(), sample.p50Millis());
                medians.add("publish-latency-p99", "ms", program.name(), sample.p99Millis());
                medians.add("publish-cpu", "s", program.name(), sample.cpuSeconds());
                medians.add("memory-after-publish", "MB", program.name(), sample.residentMegabytes());
            }
        }
        medians.report(report);
        double backToBack = device.median("back-to-back", "device").orElseThrow();
        double paced = device.median("paced", "device").orElseThrow();
        double ours = medians.median("publish-latency-p50", "ours").orElseThrow();
        report.note("device fdatasync of 1 KB, median: %.3f ms back to back, %.3f ms at 1 000/s", backToBack, paced);
        report.note("our p50 minus that: %.3f ms, %.3f ms", ours - backToBack, ours - paced);
    }

    private record Sample(double p50Millis, double p99Millis, double cpuSeconds, double residentMegabytes) {}

    private static void measureDevice(Setting setting, Medians device) throws IOException, InterruptedException {
        Path folder = setting.emptyFolder("publish-latency-device");
        int writes = setting.count(5000, 1000);
        Histogram backToBack = DeviceSync.measure(folder, writes, MESSAGE_BYTES, 0);
        Histogram paced = DeviceSync.measure(folder, writes, MESSAGE_BYTES, INTERVAL_NANOS);
        device.add("back-to-back", "ms", "device", millis(backToBack, 50));
        device.add("paced", "ms", "device", millis(paced, 50));
    }

    private static Sample sample(BrokerProgram program, Setting setting) throws Exception {
        Path data = setting.emptyFolder("publish-latency-" + program.name());
        try (RunningBroker broker = program.start(data, Jdk.running());
                PulsarClient client = BenchmarkClient.connect(broker.url());
                Producer<byte[]> producer = BenchmarkClient.producer(broker, client, "publish-latency")) {
            OpenLoop loop = new OpenLoop(producer, MESSAGE_BYTES, MESSAGES_PER_SECOND);
            loop.publish(setting.count(15, 5) * MESSAGES_PER_SECOND);
            long before = broker.cpuTime().toNanos();
            Histogram latency = loop.publish(setting.count(15, 5) * MESSAGES_PER_SECOND);
            double cpuSeconds = (broker.cpuTime().toNanos() - before) / 1e9;
            double residentMegabytes = broker.residentBytes() / 1e6;
            requireStoredInOrder(client, loop.sent());
            return new Sample(millis(latency, 50), millis(latency, 99), cpuSeconds, residentMegabytes);
        }
    }

    private static void requireStoredInOrder(PulsarClient client, long messages) throws IOException {
        try (Reader<byte[]> reader = client.newReader()
                .topic("publish-latency")
                .startMessageId(MessageId.earliest)
                .create()) {
            for (long expected = 0; expected < messages; expected++) {
                Message<byte[]> message = reader.readNext(30, TimeUnit.SECONDS);
                long found = message == null
                        ? -1
                        : ByteBuffer.wrap(message.getData()).getLong();
                if (found != expected) {
                    throw new IOException("Message " + expected + " was receipted, but " + found + " is stored there");
                }
            }
        }
    }

    private static double millis(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }
}
