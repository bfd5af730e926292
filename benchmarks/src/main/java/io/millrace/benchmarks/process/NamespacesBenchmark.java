package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * A namespace of a large program: a topic of a thousand partitions, then ten thousand topics and a hundred pattern consumers that
 * match ten each, while a thousand messages a second flow and a hundred topics a second come and go, then the stats of all topics
 * once a second. A message that does not arrive ends the run.
 */
public final class NamespacesBenchmark implements Benchmark {
    private static final String NAMESPACE = "public/large";
    private static final int AT_ONCE = 50;
    private static final int PATTERNS = 100;
    private static final int MATCHED_BY_EACH = 10;
    private static final int TOPICS_PER_SECOND = 100;

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public String summary() {
        return "1 000 partitions; 10 000 topics, 100 pattern consumers, 100 topics/s that come and go; stats of all";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Medians medians = new Medians();
        BrokerProgram program = new BrokerProgram.Millrace(setting);
        program.prepare();
        try (RunningBroker broker = program.start(setting.emptyFolder(name()), Jdk.running());
                PulsarClient client = BenchmarkClient.connect(broker.url())) {
            BenchmarkClient.producer(broker, client, "ready").close();
            new Sample(setting, new Figures(report, medians), broker, client, new AdminClient(broker)).take();
        }
        medians.report(report);
    }

    /** Takes figures, and says each at once, as a run is long. */
    private record Figures(Report report, Medians medians) {
        void add(String workload, String unit, double sample) {
            report.progress("%s: %,.3f %s", workload, sample, unit);
            medians.add("namespaces-" + workload, unit, "ours", sample);
        }
    }

    private record Sample(
            Setting setting, Figures figures, RunningBroker broker, PulsarClient client, AdminClient admin) {
        void take() throws Exception {
            admin.put("namespaces/" + NAMESPACE, "{}").get(1, TimeUnit.MINUTES);
            partitions(setting.count(1_000, 100));
            int topics = setting.count(10_000, 1_000 + PATTERNS * MATCHED_BY_EACH);
            topics(topics);
            patterns(topics);
        }

        private void partitions(int count) throws Exception {
            long began = System.nanoTime();
            String topic = "persistent://" + NAMESPACE + "/wide";
            admin.put(topic.replace("://", "/") + "/partitions", String.valueOf(count))
                    .get(1, TimeUnit.MINUTES);
            figures.add("partitions-create", "ms", secondsSince(began) * 1e3);
            try (Consumer<byte[]> consumer = client.newConsumer()
                            .topic(topic)
                            .subscriptionName("all")
                            .subscriptionType(SubscriptionType.Shared)
                            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                            .subscribe();
                    Producer<byte[]> producer = BenchmarkClient.unbatched(client, topic)) {
                figures.add("partitions-connect", "s", secondsSince(began));
                began = System.nanoTime();
                List<CompletableFuture<?>> receipts = new ArrayList<>();
                for (int i = 0; i < 10 * count; i++) {
                    receipts.add(producer.sendAsync(new byte[100]));
                }
                for (int i = 0; i < 10 * count; i++) {
                    Message<byte[]> message = consumer.receive(1, TimeUnit.MINUTES);
                    if (message == null) {
                        throw new IllegalStateException("lost: " + (10 * count - i) + " messages to partitions");
                    }
                    consumer.acknowledge(message);
                }
                CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new))
                        .get(1, TimeUnit.MINUTES);
                figures.add("partitions-exchange", "msg/s", 10 * count / secondsSince(began));
            }
        }

        private void topics(int count) throws Exception {
            long began = System.nanoTime();
            Concurrently.forEach(count, AT_ONCE, i -> admin.put(topic(i).replace("://", "/"), ""));
            figures.add("topics-create", "topic/s", count / secondsSince(began));
        }

        /** The first of them are matched by pattern consumers. */
        private static String topic(int i) {
            return i < PATTERNS * MATCHED_BY_EACH
                    ? TopicChurn.matched(NAMESPACE, i % PATTERNS, String.valueOf(i / PATTERNS))
                    : "persistent://" + NAMESPACE + "/other-" + i;
        }

        private void patterns(int topics) throws Exception {
            try (TopicChurn churn = new TopicChurn(admin, client, NAMESPACE, TOPICS_PER_SECOND)) {
                long began = System.nanoTime();
                churn.start(PATTERNS);
                figures.add("patterns-subscribe", "s", secondsSince(began));
                churn.run(setting.count(20, 5));
                figures.add("churn-live-heap-before", "MB", broker.liveHeapBytes() / 1e6);
                Duration cpuBefore = broker.cpuTime();
                began = System.nanoTime();
                Histogram nanos = churn.run(setting.count(60, 10));
                figures.add("churn-topics", "topic/s", nanos.getTotalCount() / secondsSince(began));
                figures.add("churn-cpu", "%", percent(broker.cpuTime().minus(cpuBefore), secondsSince(began)));
                figures.add("churn-live-heap-after", "MB", broker.liveHeapBytes() / 1e6);
                figures.add("churn-resident", "MB", broker.residentBytes() / 1e6);
                figures.add("churn-created-to-arrived-p50", "ms", nanos.getValueAtPercentile(50) / 1e6);
                figures.add("churn-created-to-arrived-p99", "ms", nanos.getValueAtPercentile(99) / 1e6);
                figures.report.progress("%d topics came and went, nothing lost", nanos.getTotalCount());
                stats(topics);
            }
        }

        /** Those that are matched are in use; asking opens no others. */
        private void stats(int topics) throws Exception {
            everySecond("idle", 10, () -> {});
            everySecond("metrics", 10, () -> admin.get("/metrics").get(1, TimeUnit.MINUTES));
            everySecond(
                    "broker-stats",
                    10,
                    () -> admin.get("/admin/v2/broker-stats/topics").get(1, TimeUnit.MINUTES));
            everySecond(
                    "stats",
                    5,
                    () -> Concurrently.forEach(
                            topics, AT_ONCE, i -> admin.get("/admin/v2/" + topic(i).replace("://", "/") + "/stats")));
        }

        private interface Question {
            void ask() throws Exception;
        }

        /** What the broker's threads take of a core while somebody asks once a second. */
        private void everySecond(String kind, int seconds, Question question) throws Exception {
            question.ask();
            Map<String, Duration> before = broker.cpuTimeOfThreads();
            Duration cpuBefore = broker.cpuTime();
            long began = System.nanoTime();
            for (int i = 0; i < seconds; i++) {
                question.ask();
                long due = began + TimeUnit.SECONDS.toNanos(i + 1L);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            }
            double took = secondsSince(began);
            figures.add(kind + "-asked-every", "s", took / seconds);
            figures.add(kind + "-cpu", "%", percent(broker.cpuTime().minus(cpuBefore), took));
            Map<String, String> byThread = new TreeMap<>();
            broker.cpuTimeOfThreads().forEach((thread, time) -> {
                double share = percent(time.minus(before.getOrDefault(thread, Duration.ZERO)), took);
                if (share > 0) {
                    byThread.put(thread, String.format("%.2f", share));
                }
            });
            figures.report.note("%s, %% of a core by thread: %s", kind, byThread);
        }

        private static double percent(Duration cpu, double seconds) {
            return cpu.toNanos() / 1e7 / seconds;
        }

        private static double secondsSince(long nanos) {
            return (System.nanoTime() - nanos) / 1e9;
        }
    }
}
