package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * Messages of 100 bytes published, batched and one by one, and then consumed by subscriptions of 1, 10 and 100 consumers; pulsar-perf
 * is the client of both brokers, and both force to the same disk. Rate, processor time of the broker, and its memory at the end.
 */
public final class DispatchBenchmark implements Benchmark {
    private static final int BYTES = 100;
    private static final List<Integer> CONSUMERS = List.of(1, 10, 100);
    private static final List<SubscriptionType> TYPES = List.of(SubscriptionType.Shared, SubscriptionType.Key_Shared);

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public String summary() {
        return "100 B batched and unbatched, published, then consumed by 1, 10, 100 consumers: rate, CPU, memory, beside Pulsar";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<BrokerProgram> programs = List.of(new BrokerProgram.Millrace(setting), new BrokerProgram.Pulsar(setting));
        for (BrokerProgram program : programs) {
            program.prepare();
        }
        PerfClient.prepare(setting);
        Medians medians = new Medians();
        int rounds = setting.count(3, 1);
        for (int round = 1; round <= rounds; round++) {
            for (BrokerProgram program : programs) {
                report.progress("round %d of %d: %s", round, rounds, program.name());
                new Load(program, setting, medians).run();
            }
        }
        medians.report(report);
    }

    /** One broker under one round of load. */
    private record Load(BrokerProgram program, Setting setting, Medians medians) {
        void run() throws Exception {
            Path data = setting.emptyFolder("dispatch-" + program.name());
            try (RunningBroker broker = program.start(data, Jdk.running())) {
                prepare(broker);
                PerfClient perf = new PerfClient(setting, broker);
                warmUp(perf);
                batched(perf);
                unbatched(perf);
                medians.add("resident-memory", "MB", program.name(), broker.residentBytes() / 1e6);
            }
        }

        /** Makes the subscriptions first, or what one has consumed would be deleted before the next begins. */
        private static void prepare(RunningBroker broker) throws IOException {
            try (PulsarClient client = BenchmarkClient.connect(broker.url())) {
                BenchmarkClient.producer(broker, client, topic("ready")).close();
                for (String topic : List.of("warm", "warm-single", "batched", "single")) {
                    for (SubscriptionType type : TYPES) {
                        subscribe(client, topic, type);
                    }
                }
            }
        }

        private static void subscribe(PulsarClient client, String topic, SubscriptionType type) throws IOException {
            for (int consumers : CONSUMERS) {
                client.newConsumer()
                        .topic(topic(topic))
                        .subscriptionName(PerfClient.subscription(type, consumers))
                        .subscriptionType(type)
                        .subscribe()
                        .close();
            }
        }

        private void warmUp(PerfClient perf) throws IOException {
            int messages = setting.count(300_000, 50_000);
            perf.produce(topic("warm"), messages, BYTES, true);
            perf.produce(topic("warm-single"), messages, BYTES, false);
            perf.consume(topic("warm"), messages, SubscriptionType.Shared, 10);
            perf.consume(topic("warm-single"), messages, SubscriptionType.Key_Shared, 10);
        }

        private void batched(PerfClient perf) throws IOException {
            int messages = setting.count(3_000_000, 300_000);
            add("publish-batched", messages, perf.produce(topic("batched"), messages, BYTES, true));
            for (int consumers : CONSUMERS) {
                PerfClient.Sample sample = perf.consume(topic("batched"), messages, SubscriptionType.Shared, consumers);
                add("consume-batched-shared-" + consumers, messages, sample);
            }
        }

        private void unbatched(PerfClient perf) throws IOException {
            int messages = setting.count(300_000, 50_000);
            add("publish-single", messages, perf.produce(topic("single"), messages, BYTES, false));
            for (SubscriptionType type : TYPES) {
                for (int consumers : CONSUMERS) {
                    PerfClient.Sample sample = perf.consume(topic("single"), messages, type, consumers);
                    add("consume-single-" + type.name().toLowerCase(Locale.ROOT) + "-" + consumers, messages, sample);
                }
            }
        }

        private void add(String workload, int messages, PerfClient.Sample sample) {
            medians.add(workload + "-rate", "messages/s", program.name(), messages / sample.seconds());
            medians.add(workload + "-cpu", "s", program.name(), sample.brokerCpuSeconds());
        }

        private static String topic(String name) {
            return "persistent://public/default/dispatch-" + name;
        }
    }
}
