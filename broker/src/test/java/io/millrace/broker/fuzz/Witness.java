package io.millrace.broker.fuzz;

import io.millrace.broker.model.Line;
import io.millrace.broker.protocol.WireFrames;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageIdData;
import java.io.IOException;

/** A client that behaves, on one connection that is never closed. */
final class Witness implements AutoCloseable {
    private static final String TOPIC = "witness";

    private final Line line;
    private long next;

    Witness(int port) throws IOException {
        line = new Line(port);
        line.send(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer().setProducerId(1).setTopic(TOPIC).setRequestId(1));
        await(BaseCommand.Type.PRODUCER_SUCCESS);
        line.send(
                BaseCommand.Type.SUBSCRIBE,
                c -> c.setSubscribe()
                        .setConsumerId(1)
                        .setTopic(TOPIC)
                        .setSubscription("s")
                        .setSubType(SubType.Exclusive)
                        .setRequestId(2));
        await(BaseCommand.Type.SUCCESS);
    }

    /** Publishes a message, gets it, and acknowledges it. */
    void work() throws IOException {
        long sequence = next++;
        line.send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(1));
        line.write(WireFrames.send(1, sequence, "work " + sequence));
        MessageIdData stored =
                await(BaseCommand.Type.SEND_RECEIPT).getSendReceipt().getMessageId();
        line.send(BaseCommand.Type.PING, BaseCommand::setPing);
        line.send(
                BaseCommand.Type.ACK,
                c -> c.setAck()
                        .setConsumerId(1)
                        .setAckType(CommandAck.AckType.Individual)
                        .setRequestId(3)
                        .addMessageId()
                        .setLedgerId(stored.getLedgerId())
                        .setEntryId(stored.getEntryId()));
        await(BaseCommand.Type.ACK_RESPONSE);
    }

    private BaseCommand await(BaseCommand.Type type) throws IOException {
        Line.Frame frame = Waiting.on(line, type + " of a client that behaves", f -> {
            if (f.command().getType() == BaseCommand.Type.ERROR) {
                throw new AssertionError("a client that behaves is refused: "
                        + f.command().getError().getMessage());
            }
            return f.command().getType() == type;
        });
        if (frame == null) {
            throw new AssertionError("the connection of a client that behaves was closed");
        }
        return frame.command();
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
