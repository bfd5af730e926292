package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;

/** What Prometheus reads. */
class MetricsTest extends AdminFixture {
    private static final Pattern SAMPLE = Pattern.compile(
            "[a-z_]+\\{cluster=\"standalone\"(,[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\")*\\} -?[0-9.E-]+");

    private HttpResponse<String> scraped() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service.httpServiceUrl() + "/metrics"))
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join();
    }

    private List<String> lines() {
        return scraped().body().lines().toList();
    }

    @Test
    void aTopicInUseHasItsFiguresAndItsSubscriptions() throws Exception {
        String subscription = "a \"quoted\" \\ one";
        try (Consumer<byte[]> consumer = client.newConsumer()
                        .topic("t")
                        .subscriptionName(subscription)
                        .subscribe();
                Producer<byte[]> producer = client.newProducer().topic("t").create()) {
            for (int i = 0; i < 3; i++) {
                producer.send(new byte[100]);
            }
            consumer.acknowledge(consumer.receive());
            String topic =
                    "{cluster=\"standalone\",namespace=\"public/default\",topic=\"persistent://public/default/t\"";
            String named = topic + ",subscription=\"a \\\"quoted\\\" \\\\ one\"} ";
            await(() -> lines().contains("pulsar_subscription_back_log" + named + 2));
            assertThat(lines())
                    .contains("pulsar_producers_count" + topic + "} 1", "pulsar_consumers_count" + topic + "} 1")
                    .contains("pulsar_in_messages_total" + topic + "} 3", "pulsar_msg_backlog" + topic + "} 2")
                    .contains("pulsar_subscription_consumers_count" + named + 1)
                    .contains("pulsar_out_messages_total" + named + 3)
                    .noneMatch(line -> line.startsWith("pulsar_out_messages_total" + topic + "}"))
                    .contains("# TYPE pulsar_in_messages_total counter", "# TYPE pulsar_rate_in gauge");
            assertThat(lines())
                    .anyMatch(line -> line.startsWith("pulsar_rate_in" + topic) && !line.endsWith(" 0"))
                    .filteredOn(line -> !line.startsWith("#"))
                    .allMatch(line -> SAMPLE.matcher(line).matches());
        }
    }

    /** Figures as a real Pulsar 4.2.4 tells them of the same: entries count, whatever is in them, of every subscription. */
    @Test
    void backlogsAreToldAsByPulsar() throws Exception {
        for (String topic : List.of("t", "batched")) {
            admin.topics().createNonPartitionedTopic(topic);
            admin.topics().createSubscription(topic, "idle", MessageId.earliest);
        }
        try (Consumer<byte[]> acker = shared("t");
                Consumer<byte[]> waiting = shared("delayed");
                Producer<byte[]> plain = producer("t", false);
                Producer<byte[]> batching = producer("batched", true);
                Producer<byte[]> delaying = producer("delayed", false)) {
            for (int i = 0; i < 10; i++) {
                plain.send(new byte[100]);
            }
            for (int i = 0; i < 4; i++) {
                acker.acknowledge(acker.receive());
            }
            List<CompletableFuture<MessageId>> batches = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                batches.add(batching.sendAsync(new byte[100]));
            }
            batches.forEach(CompletableFuture::join);
            for (int i = 0; i < 5; i++) {
                delaying.newMessage().deliverAfter(1, TimeUnit.HOURS).send();
            }
            delaying.send(new byte[100]);
            waiting.receive();
            await(() -> lines().contains(ofTopic("msg_backlog", "persistent", "t") + 16)
                    && lines().contains(ofSubscription("subscription_delayed", "persistent", "delayed", "s") + 5));
            assertThat(lines())
                    .contains(
                            ofSubscription("subscription_back_log", "persistent", "t", "idle") + 10,
                            ofSubscription("subscription_back_log", "persistent", "t", "s") + 6,
                            ofTopic("msg_backlog", "persistent", "batched") + 2,
                            ofTopic("msg_backlog", "persistent", "delayed") + 6,
                            ofSubscription("subscription_back_log", "persistent", "delayed", "s") + 6,
                            ofSubscription("subscription_back_log_no_delayed", "persistent", "delayed", "s") + 1);
            assertThat(value(ofTopic("storage_size", "persistent", "t")))
                    .isGreaterThan(10 * 100)
                    .isEqualTo(value(ofTopic("storage_logical_size", "persistent", "t")))
                    .isEqualTo(value(ofTopic("storage_backlog_size", "persistent", "t")));
        }
    }

    @Test
    void aTopicThatStoresNothingHasFiguresAndNoBacklog() throws Exception {
        String live = "non-persistent://public/default/live";
        try (Consumer<byte[]> consumer = shared(live);
                Producer<byte[]> producer = producer(live, false)) {
            for (int i = 0; i < 3; i++) {
                producer.send(new byte[100]);
            }
            for (int i = 0; i < 3; i++) {
                consumer.receive();
            }
            String sent = ofSubscription("out_messages_total", "non-persistent", "live", "s");
            await(() -> lines().contains(sent + 3));
            assertThat(lines())
                    .contains("pulsar_topics_count{cluster=\"standalone\",namespace=\"public/default\"} 1")
                    .contains(
                            ofTopic("subscriptions_count", "non-persistent", "live") + 1,
                            ofTopic("producers_count", "non-persistent", "live") + 1,
                            ofTopic("consumers_count", "non-persistent", "live") + 1,
                            ofTopic("in_messages_total", "non-persistent", "live") + 3)
                    .contains(
                            ofTopic("msg_backlog", "non-persistent", "live") + 0,
                            ofTopic("storage_size", "non-persistent", "live") + 0,
                            ofTopic("storage_backlog_size", "non-persistent", "live") + 0,
                            ofSubscription("subscription_back_log", "non-persistent", "live", "s") + 0,
                            ofSubscription("subscription_unacked_messages", "non-persistent", "live", "s") + 0);
        }
    }

    private Consumer<byte[]> shared(String topic) throws Exception {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(SubscriptionType.Shared)
                .subscribe();
    }

    private Producer<byte[]> producer(String topic, boolean batches) throws Exception {
        return client.newProducer()
                .topic(topic)
                .enableBatching(batches)
                .batchingMaxMessages(10)
                .batchingMaxPublishDelay(10, TimeUnit.SECONDS)
                .create();
    }

    private double value(String series) {
        return lines().stream()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .findFirst()
                .orElseThrow();
    }

    private static String ofTopic(String metric, String domain, String topic) {
        return "pulsar_" + metric + labels(domain, topic) + "} ";
    }

    private static String ofSubscription(String metric, String domain, String topic, String subscription) {
        return "pulsar_" + metric + labels(domain, topic) + ",subscription=\"" + subscription + "\"} ";
    }

    private static String labels(String domain, String topic) {
        return "{cluster=\"standalone\",namespace=\"public/default\",topic=\"" + domain + "://public/default/" + topic
                + '"';
    }

    @Test
    void topicsThatNobodyUsesAreCountedAndStayUnloaded() throws Exception {
        admin.namespaces().createNamespace("public/counted");
        admin.topics().createPartitionedTopic("public/counted/p", 4);
        for (int i = 0; i < 4; i++) {
            admin.topics().unload("public/counted/p-partition-" + i);
        }
        List<String> lines = lines();
        assertThat(lines).contains("pulsar_topics_count{cluster=\"standalone\",namespace=\"public/counted\"} 4");
        assertThat(lines).noneMatch(line -> line.contains("public/counted/p"));
        assertThat(scraped().headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    }
}
