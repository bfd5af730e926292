package io.millrace.broker.fuzz;

import io.millrace.broker.model.Line;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.SubType;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends frames on connections that have a producer and a consumer, a few at a time, and goes on when they are closed. */
final class Attack implements AutoCloseable {
    static final int TOPICS = 8;
    /** What the names of all topics begin with that are attacked. */
    static final String TOPIC = "persistent://public/default/fuzz-";

    private static final int FRAMES_AT_ONCE = 20;
    private static final int BURSTS_PER_CONNECTION = 4;
    private static final int FRAMES_PER_WORK = 500;

    private final int port;
    private final FrameSource source;
    private final Witness witness;
    private Line line;
    private long sent;
    private long opened;
    private long bursts;

    Attack(int port, FrameSource source) throws IOException {
        this.port = port;
        this.source = source;
        witness = new Witness(port);
    }

    static String topic(int number) {
        return TOPIC + number;
    }

    /** Sends so many frames; another client works meanwhile. */
    void run(long frames) throws IOException {
        long end = sent + frames;
        while (sent < end) {
            burst();
            if (sent % FRAMES_PER_WORK < FRAMES_AT_ONCE) {
                witness.work();
            }
        }
        witness.work();
    }

    /** Leaves nothing open. */
    void withdraw() throws IOException {
        if (line != null) {
            line.close();
            line = null;
        }
    }

    private void burst() throws IOException {
        if (line == null || line.hasEnded()) {
            open();
        }
        boolean legible = true;
        for (int i = 0; i < FRAMES_AT_ONCE && legible && !line.hasEnded(); i++) {
            byte[] frame = source.next();
            line.write(frame);
            sent++;
            legible = ByteBuffer.wrap(frame).getInt() == frame.length - Integer.BYTES;
        }
        if (legible) {
            line.send(BaseCommand.Type.PING, BaseCommand::setPing);
        }
        boolean alive = legible && isAnswered(BaseCommand.Type.PONG);
        if (!alive || ++bursts % BURSTS_PER_CONNECTION == 0) {
            withdraw();
        }
    }

    private void open() throws IOException {
        withdraw();
        line = new Line(port);
        String topic = topic((int) (opened++ % TOPICS));
        line.send(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer().setProducerId(1).setTopic(topic).setRequestId(1));
        line.send(
                BaseCommand.Type.SUBSCRIBE,
                c -> c.setSubscribe()
                        .setConsumerId(1)
                        .setTopic(topic)
                        .setSubscription("s" + opened % 4)
                        .setSubType(SubType.valueOf((int) (opened % SubType.values().length)))
                        .setRequestId(2));
        line.send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(100));
        line.send(BaseCommand.Type.PING, BaseCommand::setPing);
        isAnswered(BaseCommand.Type.PONG);
    }

    private boolean isAnswered(BaseCommand.Type type) throws IOException {
        return Waiting.on(
                        line,
                        type + " after " + sent + " frames",
                        f -> f.command().getType() == type)
                != null;
    }

    @Override
    public void close() throws IOException {
        withdraw();
        witness.close();
    }
}
