package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.SubType;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that stopped reading while its connection holds more for it than the system takes. */
@Timeout(120)
class DeadPeerTest {
    private static final ServerSettings SETTINGS = ServerSettings.loopback().withKeepAlive(Duration.ofSeconds(8));
    private static final int MESSAGES = 4;
    private static final int MESSAGE_BYTES = 5_000_000;
    private static final byte[] MALFORMED = {-1, -1, -1, -1};

    @TempDir
    private Path folder;

    @Test
    @Behaviour("PRO-5")
    void aClientThatNeitherReadsNorAnswersGivesBackItsSubscription() throws Exception {
        publish();
        try (ServerFixture broker = new ServerFixture(folder, SETTINGS);
                RawClient dead = stuckBehindOutput(broker);
                RawClient next = RawClient.connect(broker.port())) {
            expectTakesOver(next);
            assertThat(dead).isNotNull();
        }
    }

    @Test
    @Behaviour("PRO-1")
    void aClientThatIsRefusedAndNeverReadsGivesBackItsSubscription() throws Exception {
        publish();
        try (ServerFixture broker = new ServerFixture(folder, SETTINGS);
                RawClient dead = stuckBehindOutput(broker);
                RawClient next = RawClient.connect(broker.port())) {
            dead.write(MALFORMED);
            expectTakesOver(next);
        }
    }

    private void publish() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient producer = RawClient.connect(broker.port())) {
            producer.producer(1, "wide");
            for (int i = 0; i < MESSAGES; i++) {
                producer.publish(1, i, "x".repeat(MESSAGE_BYTES));
            }
        }
    }

    private static RawClient stuckBehindOutput(ServerFixture broker) throws Exception {
        RawClient client = RawClient.connectNarrow(broker.port());
        client.sendSubscribe(1, "wide", SubType.Failover, s -> s.setConsumerName("a"));
        client.expect(BaseCommand.Type.SUCCESS);
        client.expect(BaseCommand.Type.ACTIVE_CONSUMER_CHANGE);
        client.flow(1, MESSAGES);
        client.awaitOutput();
        return client;
    }

    /** Joins as the second, and waits, answering each PING, until it is the first. */
    private static void expectTakesOver(RawClient next) throws Exception {
        next.sendSubscribe(2, "wide", SubType.Failover, s -> s.setConsumerName("b"));
        next.expect(BaseCommand.Type.SUCCESS);
        int pings = 0;
        boolean active = false;
        while (!active) {
            BaseCommand told = next.receive();
            assertThat(told).as("connection closed after " + pings + " PINGs").isNotNull();
            if (told.hasPing()) {
                pings++;
                next.send(BaseCommand.Type.PONG, BaseCommand::setPong);
            }
            active = told.hasActiveConsumerChange()
                    && told.getActiveConsumerChange().isIsActive();
            assertThat(pings).as("PINGs while the dead one held its place").isLessThan(5);
        }
    }
}
