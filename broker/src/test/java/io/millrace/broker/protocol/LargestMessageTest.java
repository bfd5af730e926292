package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.BaseCommand;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a topic's policy on the size of messages counts. */
@Timeout(60)
class LargestMessageTest {
    private static final int MOST_BYTES = 4_096;
    private static final String TOPIC = "persistent://public/default/t";

    @TempDir
    Path folder;

    /** The broker's limit is one of the payload, as many clients count it; that of a topic counts its metadata, too. */
    @Test
    void aTopicThatAllowsWhatItsBrokerDoesRefusesNothingThatClientsSend() throws Exception {
        Map<String, String> settings = Map.of("port", "0", "max-message-bytes", String.valueOf(MOST_BYTES));
        try (Broker broker = Broker.start(BrokerConfig.of(settings).withDataFolder(folder));
                RawClient client = RawClient.connect(broker.port())) {
            client.producer(1, TOPIC);
            assertThat(answer(broker, client, MOST_BYTES)).isEqualTo(BaseCommand.Type.SEND_RECEIPT);
            assertThat(answer(broker, client, MOST_BYTES - 1)).isEqualTo(BaseCommand.Type.SEND_ERROR);
            assertThat(answer(broker, client, MOST_BYTES + 1)).isEqualTo(BaseCommand.Type.SEND_RECEIPT);
        }
    }

    /** To a message of the most bytes, where the topic allows so many. */
    private static BaseCommand.Type answer(Broker broker, RawClient client, int allowedBytes) throws Exception {
        String allowed = String.valueOf(allowedBytes);
        broker.namespaces()
                .setTopicPolicies(TopicName.parse(TOPIC), Set.of(), Map.of(AppliedPolicies.MAX_MESSAGE, allowed))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        client.producer(2, TOPIC); // comes to the topic behind the policy
        ProducerSessionTest.closeProducer(client, 2);
        byte[] message = WireFrames.message(WireFrames.metadata(allowedBytes), "x".repeat(MOST_BYTES));
        client.write(WireFrames.send(1, allowedBytes, message));
        return client.receive().getType();
    }
}
