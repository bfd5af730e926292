package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publishers of a topic that takes next to nothing, beside others. */
@Timeout(120)
class ThrottledPublishTest {
    private static final int MIB = 1 << 20;

    @Test
    @Behaviour("PRO-6")
    void whoPublishesFasterThanItsTopicMayStopsNobodyElse(@TempDir Path folder) throws Exception {
        String payload = "x".repeat(120_000);
        ServerSettings settings = ServerSettings.loopback().withMaxPendingPublishBytes(MIB);
        List<RawClient> hasty = new ArrayList<>();
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient neighbour = RawClient.connect(broker.port())) {
            neighbour.producer(1, "elsewhere");
            neighbour.producer(2, "slow");
            neighbour.producer(3, "brisk");
            broker.policy("slow", AppliedPolicies.PUBLISH_RATE, "-1,1");
            broker.policy("brisk", AppliedPolicies.PUBLISH_RATE, "-1,100000000");
            neighbour.producer(4, "brisk"); // comes to the topic behind the policy
            for (int i = 0; i < 5; i++) {
                RawClient client = RawClient.connect(broker.port());
                hasty.add(client);
                client.producer(1, "slow");
                client.write(WireFrames.send(1, 0, payload));
                client.write(WireFrames.send(1, 1, payload));
            }
            awaitPending(broker.server(), MIB / 4);
            for (int i = 0; i < 10; i++) {
                neighbour.publish(1, i, payload);
                neighbour.publish(3, i, payload);
            }
        } finally {
            for (RawClient client : hasty) {
                client.close();
            }
        }
    }

    private static void awaitPending(ProtocolServer server, long bytes) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (server.pendingPublishBytes() < bytes) {
            assertThat(System.nanoTime() - deadline)
                    .as("%d bytes wait", server.pendingPublishBytes())
                    .isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
