package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits for the rate of its topic when the broker closes the topic, or itself, has its receipt first. */
@Timeout(60)
class ThrottledCloseTest {
    private static final String SLOW = "-1,1";

    @ParameterizedTest
    @ValueSource(strings = {"persistent://public/default/slow", "non-persistent://public/default/slow"})
    @Behaviour("PRO-5")
    void whenATopicIsUnloaded(String topic, @TempDir Path folder) throws Exception {
        closesAfterTheReceipts(folder, topic, broker -> broker.unload(topic));
    }

    @Test
    @Behaviour("PRO-5")
    void whenATopicIsTerminated(@TempDir Path folder) throws Exception {
        closesAfterTheReceipts(folder, "slow", broker -> broker.terminate("slow"));
    }

    private static void closesAfterTheReceipts(Path folder, String topic, Consumer<ServerFixture> close)
            throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient other = RawClient.connect(broker.port());
                RawClient client = RawClient.connect(broker.port())) {
            other.producer(1, topic);
            broker.policy(topic, AppliedPolicies.PUBLISH_RATE, SLOW);
            client.producer(1, topic);
            publishBeyondTheRate(client);
            close.accept(broker);
            expectReceipts(client);
            client.expect(BaseCommand.Type.CLOSE_PRODUCER);
            client.write(WireFrames.send(1, 100, "late"));
            client.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-5")
    void whenTheBrokerCloses(@TempDir Path folder) throws Exception {
        TopicName topic = TopicName.parse("slow");
        Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
        try (RawClient other = RawClient.connect(broker.port());
                RawClient client = RawClient.connect(broker.port())) {
            other.producer(1, topic.full());
            broker.namespaces()
                    .setTopicPolicies(topic, Set.of(), Map.of(AppliedPolicies.PUBLISH_RATE, SLOW))
                    .toCompletableFuture()
                    .join();
            client.producer(1, topic.full());
            publishBeyondTheRate(client);
            broker.close();
            expectReceipts(client);
        } finally {
            broker.close();
        }
    }

    private static void publishBeyondTheRate(RawClient client) throws Exception {
        client.publish(1, 0, "x".repeat(1_000));
        for (int i = 1; i < 10; i++) {
            client.write(WireFrames.send(1, i, "waits"));
        }
        client.expectAlive();
    }

    private static void expectReceipts(RawClient client) throws Exception {
        for (int i = 1; i < 10; i++) {
            assertThat(client.expect(BaseCommand.Type.SEND_RECEIPT)
                            .getSendReceipt()
                            .getSequenceId())
                    .isEqualTo(i);
        }
    }
}
