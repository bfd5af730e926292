package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.ProducerAccessMode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is sent to a producer that the broker has closed: dropped while it may be from before the client knew. */
@Timeout(60)
class ClosedProducerTest {
    private static final byte[] LATE = WireFrames.send(1, 7, "late");

    private ServerFixture broker;
    private RawClient client;
    private RawClient fencing;

    private void start(Path folder, Duration keepAlive) throws Exception {
        broker = new ServerFixture(folder, ServerSettings.loopback().withKeepAlive(keepAlive));
        client = RawClient.connect(broker.port());
        fencing = RawClient.connect(broker.port());
        client.producer(1, "orders");
        fencing.producer(2, "orders", p -> p.setProducerAccessMode(ProducerAccessMode.ExclusiveWithFencing));
        client.expect(BaseCommand.Type.CLOSE_PRODUCER);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        fencing.close();
        broker.close();
    }

    @Test
    @Behaviour("PRO-5")
    void whatIsSentLateWhileItOpensAgainIsDropped(@TempDir Path folder) throws Exception {
        start(folder, Duration.ofHours(1));
        client.sendProducer(1, "orders", p -> p.setProducerAccessMode(ProducerAccessMode.WaitForExclusive));
        assertThat(client.expect(BaseCommand.Type.PRODUCER_SUCCESS)
                        .getProducerSuccess()
                        .isProducerReady())
                .isFalse();
        client.write(LATE);
        client.expectAlive();
        fencing.close();
        assertThat(client.expect(BaseCommand.Type.PRODUCER_SUCCESS)
                        .getProducerSuccess()
                        .isProducerReady())
                .isTrue();
        client.publish(1, 8, "again");
    }
}
