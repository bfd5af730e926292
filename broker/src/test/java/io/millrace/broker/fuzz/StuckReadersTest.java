package io.millrace.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.model.Line;
import io.millrace.broker.protocol.WireFrames;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.InitialPosition;
import io.millrace.wire.CommandSubscribe.SubType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for all there is and read nothing of it, against a broker with a heap of 64 MB. */
final class StuckReadersTest {
    private static final String TOPIC = "large";
    private static final int MESSAGES = 40;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int STUCK = 400;

    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    @Behaviour("LOG-16")
    void whoReadsNothingDoesNotStarveWhoDoes() throws Exception {
        List<Line> stuck = new ArrayList<>();
        try (BrokerProcess broker = new BrokerProcess(folder);
                Witness witness = new Witness(broker.port())) {
            publish(broker.port());
            for (int i = 0; i < STUCK; i++) {
                stuck.add(subscriber(broker.port(), "stuck-" + i));
            }
            witness.work();
            try (Line reader = subscriber(broker.port(), "reader")) {
                for (int i = 0; i < MESSAGES; i++) {
                    Line.Frame message = await(reader, BaseCommand.Type.MESSAGE, broker);
                    assertThat(message.rest().length).as("message " + i).isGreaterThan(MESSAGE_BYTES);
                }
            }
            witness.work();
            assertThat(broker.log()).doesNotContain("OutOfMemoryError");
        } finally {
            for (Line line : stuck) {
                line.close();
            }
        }
    }

    private static void publish(int port) throws IOException {
        try (Line line = new Line(port)) {
            line.send(
                    BaseCommand.Type.PRODUCER,
                    c -> c.setProducer().setProducerId(1).setTopic(TOPIC).setRequestId(1));
            await(line, BaseCommand.Type.PRODUCER_SUCCESS, null);
            String payload = "x".repeat(MESSAGE_BYTES);
            for (int i = 0; i < MESSAGES; i++) {
                line.write(WireFrames.send(1, i, payload));
                await(line, BaseCommand.Type.SEND_RECEIPT, null);
            }
        }
    }

    /** Has permits for everything from the first message on. */
    private static Line subscriber(int port, String subscription) throws IOException {
        Line line = new Line(port);
        line.send(
                BaseCommand.Type.SUBSCRIBE,
                c -> c.setSubscribe()
                        .setConsumerId(1)
                        .setTopic(TOPIC)
                        .setSubscription(subscription)
                        .setSubType(SubType.Exclusive)
                        .setInitialPosition(InitialPosition.Earliest)
                        .setRequestId(1));
        await(line, BaseCommand.Type.SUCCESS, null);
        line.send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(MESSAGES));
        return line;
    }

    private static Line.Frame await(Line line, BaseCommand.Type type, BrokerProcess broker) throws IOException {
        try {
            Line.Frame frame =
                    Waiting.on(line, type.toString(), f -> f.command().getType() == type);
            assertThat(frame).as("a frame, not the end of the connection").isNotNull();
            return frame;
        } catch (AssertionError e) {
            throw broker == null ? e : new AssertionError(e.getMessage() + "\n" + broker.log(), e);
        }
    }
}
