package io.millrace.junit.admin;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.namespace.NamespaceSettings;
import io.millrace.broker.namespace.PolicySettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.apache.pulsar.common.policies.data.TopicStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that looks each second whether a policy asks for something, the ordinary client and Pulsar's own admin client. */
@Timeout(120)
abstract class PolicyFixture {
    static final String SPACE = "public/policies";
    static final String TOPIC = "persistent://public/policies/one";
    static final String SUBSCRIPTION = "all";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Duration EACH_SECOND = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    Broker broker;
    PulsarAdmin admin;
    PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        open();
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createNonPartitionedTopic(TOPIC);
    }

    private void open() throws Exception {
        broker = Broker.start(config());
        admin = PulsarAdmin.builder().serviceHttpUrl(broker.httpServiceUrl()).build();
        client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
    }

    BrokerConfig config() {
        return BrokerConfig.defaults(folder)
                .withPort(0)
                .withHttpPort(0)
                .withNamespaces(settings(
                        NamespaceSettings.DEFAULTS.withPolicies(PolicySettings.DEFAULTS.withChecks(EACH_SECOND))));
    }

    /** What a test wants to be different. */
    NamespaceSettings settings(NamespaceSettings usual) {
        return usual;
    }

    @AfterEach
    void stop() throws Exception {
        admin.close();
        // Its threads take two seconds to end, for which nobody waits.
        CompletableFuture<Void> unused = client.closeAsync();
        broker.close();
    }

    /** Everything that was said is done must be there afterwards. */
    void restart() throws Exception {
        stop();
        open();
    }

    Producer<byte[]> producer(String topic) throws Exception {
        return client.newProducer().topic(topic).enableBatching(false).create();
    }

    Consumer<byte[]> subscribe(String topic, SubscriptionType type) throws Exception {
        return subscribe(topic, SUBSCRIPTION, type);
    }

    Consumer<byte[]> subscribe(String topic, String subscription, SubscriptionType type) throws Exception {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe();
    }

    void publish(String topic, int messages, int bytes) throws Exception {
        try (Producer<byte[]> producer = producer(topic)) {
            for (int i = 0; i < messages; i++) {
                producer.send(new byte[bytes]);
            }
        }
    }

    TopicStats stats() throws Exception {
        return admin.topics().getStats(TOPIC);
    }

    SubscriptionStats subscriptionStats() throws Exception {
        return stats().getSubscriptions().get(SUBSCRIPTION);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Asks again and again, but not at once, until it is so. */
    static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("it did not come to pass in time");
            }
            CompletableFuture<Void> later = new CompletableFuture<>();
            later.completeOnTimeout(null, 20, TimeUnit.MILLISECONDS).join();
        }
    }
}
