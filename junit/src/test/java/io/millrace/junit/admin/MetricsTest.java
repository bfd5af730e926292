package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
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
                    .contains("# TYPE pulsar_in_messages_total counter", "# TYPE pulsar_rate_in gauge");
            assertThat(lines())
                    .anyMatch(line -> line.startsWith("pulsar_rate_in" + topic) && !line.endsWith(" 0"))
                    .filteredOn(line -> !line.startsWith("#"))
                    .allMatch(line -> SAMPLE.matcher(line).matches());
        }
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
