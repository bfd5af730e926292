package io.millrace.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.model.Line;
import io.millrace.broker.protocol.WireFrames;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that ask for more of one kind of state than a broker with a heap of 64 MB holds: it refuses the rest, serves who
 * is there, and its heap holds no more than was counted.
 */
@Timeout(300)
final class FilledStateTest {
    private static final int MANY = 20_000;
    private static final int HANDLES = 5_000;
    private static final int WORK_EVERY = 500;
    private static final int DELAYED = 150_000;
    private static final int SUBSCRIPTIONS = 400;
    private static final int EACH = 500;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int BATCHES = 20_000;
    private static final int ACKS = 100;
    private static final int FRAME_PART_BYTES = 1_000_000;
    private static final int FRAME_PARTS = 4;
    private static final int MANY_FRAMES = 100;
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    private final List<Line> lines = new ArrayList<>();
    private BrokerProcess broker;
    private Witness witness;
    private long emptyBytes;

    @BeforeEach
    void start() throws IOException {
        broker = new BrokerProcess(folder);
        witness = new Witness(broker.port());
        witness.work();
        emptyBytes = broker.liveHeapBytes();
    }

    @AfterEach
    void stop() throws IOException {
        for (Line line : lines) {
            line.close();
        }
        if (witness != null) {
            witness.close();
        }
        broker.close();
    }

    @Test
    @Behaviour("PRO-14")
    void connections() throws IOException {
        int count = fill("connections", i -> answer(line(), BaseCommand.Type.CONNECTED));
        expectFull("connections", count);
    }

    @Test
    @Behaviour("PRO-14")
    void producers() throws IOException {
        int count = fill("producers", i -> producer(i, "t", "p" + i));
        expectFull("producers", count);
    }

    @Test
    @Behaviour("PRO-14")
    void producersWithLongNames() throws IOException {
        String rest = "n".repeat(1_000);
        int count = fill("producers", i -> producer(i, rest, i + rest));
        expectFull("producers with long names", count);
    }

    @Test
    @Behaviour("PRO-14")
    void consumers() throws IOException {
        int count = fill("consumers", i -> consumer(i, s -> s.setSubscription("s" + i / HANDLES)));
        expectFull("consumers", count);
    }

    @Test
    @Behaviour("PRO-14")
    void consumersWithLongNames() throws IOException {
        String rest = "n".repeat(1_000);
        int count = fill(
                "consumers",
                i -> consumer(
                        i,
                        s -> s.setSubscription("s" + i / HANDLES)
                                .setConsumerName(i + rest)
                                .setTopic(rest)));
        expectFull("consumers with long names", count);
    }

    @Test
    @Behaviour("PRO-14")
    void consumersThatShareKeys() throws IOException {
        int count = fill(
                "consumers",
                i -> consumer(i, s -> s.setSubscription("k" + i / 100).setSubType(SubType.Key_Shared)));
        expectFull("consumers that share keys", count);
    }

    @Test
    @Behaviour("PRO-14")
    void subscriptions() throws IOException {
        int count = fill("subscriptions", i -> consumer(i, s -> s.setSubscription("s" + i)));
        expectFull("subscriptions", count);
    }

    @Test
    @Behaviour("PRO-14")
    void subscriptionsWithLongNames() throws IOException {
        String rest = "n".repeat(1_000);
        int count = fill("", i -> consumer(i, s -> s.setSubscription(i + rest).setTopic(rest)));
        expectFull("subscriptions with long names", count);
    }

    @Test
    @Behaviour("PRO-14")
    void delayedEntries() throws IOException {
        long now = System.currentTimeMillis();
        Line line = line();
        subscribe(line, "later", 1);
        line.send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(2 * DELAYED));
        List<MessageIdData> published =
                publish("later", DELAYED, m -> m.setDeliverAtTime(now + HOUR_MILLIS + m.getSequenceId() * 1_000));
        assertThat(published).hasSize(DELAYED);
        entriesWait();
        expectFull("delayed entries", DELAYED);
    }

    @Test
    @Behaviour("PRO-14")
    void fewDelayedEntriesOfManySubscriptions() throws IOException {
        long now = System.currentTimeMillis();
        subscribeAll(2 * SUBSCRIPTIONS);
        publish("many", EACH, m -> m.setDeliverAtTime(now + HOUR_MILLIS + m.getSequenceId() * 1_000));
        entriesWait();
        expectFull("subscriptions with up to " + EACH + " delayed entries", 2 * SUBSCRIPTIONS);
    }

    @Test
    @Behaviour("PRO-14")
    void entriesOfConsumersThatLeaveAllAtOnce() throws IOException {
        Line line = subscribeAll(SUBSCRIPTIONS);
        publish("many", EACH, m -> {});
        awaitMessages(line, SUBSCRIPTIONS * EACH);
        BrokerProcess.Use pending = broker.use();
        line.close();
        awaitMessages(subscribeAll(SUBSCRIPTIONS), SUBSCRIPTIONS * EACH);
        assertThat(broker.use().heldMebibytes())
                .as("counted, of entries that came back")
                .isLessThanOrEqualTo(pending.heldMebibytes() + 2);
        expectFull("entries that came back", SUBSCRIPTIONS * EACH);
    }

    @Test
    @Behaviour("PRO-14")
    void partlyAcknowledgedBatches() throws IOException {
        List<MessageIdData> batches = publish("batches", BATCHES, m -> m.setNumMessagesInBatch(2));
        Line line = line();
        int count = fill("entries", i -> {
            int consumer = i / (BATCHES / ACKS);
            if (i % (BATCHES / ACKS) == 0) {
                subscribe(line, "batches", consumer);
            }
            int from = i % (BATCHES / ACKS) * ACKS;
            return ackPartly(line, consumer, batches.subList(from, from + ACKS));
        });
        expectFull("acks of " + ACKS + " batches each, in part", count);
    }

    @Test
    @Behaviour("PRO-14")
    void unfinishedFrames() throws IOException {
        ByteBuffer part = ByteBuffer.allocate(FRAME_PART_BYTES).putInt(0, FRAME_PARTS * FRAME_PART_BYTES);
        int count = 0;
        while (!broker.log().contains("no memory for more frames")) {
            assertThat(count).as("connections with an unfinished frame").isLessThan(MANY_FRAMES);
            line().write(part.array());
            count++;
            witness.work();
        }
        assertThat(count).as("connections with an unfinished frame").isGreaterThan(FRAME_PARTS);
        assertThat(broker.log()).contains("-XX:MaxDirectMemorySize").doesNotContain("OutOfDirectMemory");
        expectFull("unfinished frames", count);
    }

    /** Waits until the broker says that it reads nothing more for subscriptions. */
    private void entriesWait() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!broker.log().contains("no memory for more entries")) {
            assertThat(System.nanoTime() - deadline).as("within 30 s").isNegative();
            witness.work();
        }
    }

    /** Consumers that take whatever comes, each of a subscription of its own, on one connection. */
    private Line subscribeAll(int count) throws IOException {
        Line line = line();
        for (int i = 0; i < count; i++) {
            subscribe(line, "many", i);
        }
        for (int i = 0; i < count; i++) {
            int consumer = i;
            line.send(
                    BaseCommand.Type.FLOW,
                    c -> c.setFlow().setConsumerId(consumer).setMessagePermits(2 * EACH));
        }
        return line;
    }

    private static void awaitMessages(Line line, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(answer(line, BaseCommand.Type.MESSAGE))
                    .as("message " + i)
                    .isNotNull();
        }
    }

    private static void subscribe(Line line, String topic, int consumer) throws IOException {
        line.send(
                BaseCommand.Type.SUBSCRIBE,
                c -> c.setSubscribe()
                        .setConsumerId(consumer)
                        .setTopic(topic)
                        .setSubscription("s" + consumer)
                        .setSubType(SubType.Shared)
                        .setInitialPosition(CommandSubscribe.InitialPosition.Earliest)
                        .setRequestId(consumer));
        assertThat(answer(line, BaseCommand.Type.SUCCESS).command().getType()).isEqualTo(BaseCommand.Type.SUCCESS);
    }

    private static Line.Frame ackPartly(Line line, int consumer, List<MessageIdData> batches) throws IOException {
        line.send(BaseCommand.Type.ACK, c -> {
            CommandAck ack = c.setAck()
                    .setConsumerId(consumer)
                    .setAckType(CommandAck.AckType.Individual)
                    .setRequestId(1);
            for (MessageIdData batch : batches) {
                ack.addMessageId()
                        .setLedgerId(batch.getLedgerId())
                        .setEntryId(batch.getEntryId())
                        .addAckSet(0b10);
            }
        });
        return answer(line, BaseCommand.Type.ACK_RESPONSE);
    }

    private List<MessageIdData> publish(String topic, int count, Consumer<MessageMetadata> fill) throws IOException {
        Line line = line();
        line.send(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer().setProducerId(1).setTopic(topic).setRequestId(1));
        answer(line, BaseCommand.Type.PRODUCER_SUCCESS);
        List<MessageIdData> published = new ArrayList<>();
        while (published.size() < count) {
            for (int i = 0; i < WORK_EVERY; i++) {
                MessageMetadata metadata = WireFrames.metadata(published.size() + i);
                fill.accept(metadata);
                line.write(WireFrames.send(1, published.size() + i, WireFrames.message(metadata, "x")));
            }
            for (int i = 0; i < WORK_EVERY; i++) {
                published.add(answer(line, BaseCommand.Type.SEND_RECEIPT)
                        .command()
                        .getSendReceipt()
                        .getMessageId());
            }
        }
        return published;
    }

    /** Asks for one more. */
    private interface Asking {
        Line.Frame next(int number) throws IOException;
    }

    /** How many there were before one was refused, by an error that says why and what to do. */
    private int fill(String kind, Asking asking) throws IOException {
        for (int i = 0; i < MANY; i++) {
            Line.Frame answer = asking.next(i);
            assertThat(answer)
                    .as("an answer to number " + i + "\n" + broker.log())
                    .isNotNull();
            String refusal = refusal(answer.command());
            if (!refusal.isEmpty()) {
                assertThat(refusal).contains("no memory for more " + kind, "larger heap (-Xmx");
                return i;
            }
            if (i % WORK_EVERY == 0) {
                witness.work();
            }
        }
        throw new AssertionError(MANY + " " + kind + " were taken");
    }

    /** What the error says; empty if it is none. */
    private static String refusal(BaseCommand answer) {
        if (answer.getType() == BaseCommand.Type.ERROR) {
            assertThat(answer.getError().getError()).isEqualTo(ServerError.TooManyRequests);
            return answer.getError().getMessage();
        }
        if (answer.getType() == BaseCommand.Type.ACK_RESPONSE
                && answer.getAckResponse().hasError()) {
            assertThat(answer.getAckResponse().getError()).isEqualTo(ServerError.TooManyRequests);
            return answer.getAckResponse().getMessage();
        }
        return "";
    }

    /** Those who are there are served, and what is held is no more than what is counted. */
    private void expectFull(String kind, int count) throws IOException {
        witness.work();
        BrokerProcess.Use use = broker.use();
        System.out.println(count + " " + kind + ": " + use.heldMebibytes() + " MiB are counted, "
                + (use.liveHeapBytes() - emptyBytes) / MIB + " MiB are held");
        assertThat(use.liveHeapBytes() - emptyBytes)
                .as("the heap that " + count + " " + kind + " take")
                .isLessThan((use.heldMebibytes() + 1) * MIB);
        assertThat(broker.log()).doesNotContain("OutOfMemoryError").doesNotContain("ERROR");
        for (Line line : lines) {
            line.close();
        }
        witness.work();
    }

    private Line line() throws IOException {
        Line line = new Line(broker.port());
        lines.add(line);
        return line;
    }

    /** The connection for the handle of that number. */
    private Line lineOf(int number) throws IOException {
        if (lines.size() <= number / HANDLES) {
            answer(line(), BaseCommand.Type.CONNECTED);
        }
        return lines.get(number / HANDLES);
    }

    private Line.Frame producer(int number, String topic, String name) throws IOException {
        Line line = lineOf(number);
        line.send(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer()
                        .setProducerId(number)
                        .setTopic(topic)
                        .setProducerName(name)
                        .setRequestId(number));
        return answer(line, BaseCommand.Type.PRODUCER_SUCCESS);
    }

    private Line.Frame consumer(int number, Consumer<CommandSubscribe> fill) throws IOException {
        Line line = lineOf(number);
        line.send(
                BaseCommand.Type.SUBSCRIBE,
                c -> fill.accept(c.setSubscribe()
                        .setConsumerId(number)
                        .setTopic("t" + number / HANDLES)
                        .setSubType(SubType.Shared)
                        .setRequestId(number)));
        return answer(line, BaseCommand.Type.SUCCESS);
    }

    private static Line.Frame answer(Line line, BaseCommand.Type type) throws IOException {
        return Waiting.on(
                line,
                type.toString(),
                f -> f.command().getType() == type || f.command().getType() == BaseCommand.Type.ERROR);
    }
}
