package io.millrace.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.model.Line;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
@Timeout(120)
final class FilledStateTest {
    private static final int MANY = 20_000;
    private static final int HANDLES = 5_000;
    private static final int WORK_EVERY = 500;
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
            if (answer.command().getType() == BaseCommand.Type.ERROR) {
                assertThat(answer.command().getError().getError()).isEqualTo(ServerError.TooManyRequests);
                assertThat(answer.command().getError().getMessage())
                        .contains("no memory for more " + kind, "larger heap (-Xmx");
                return i;
            }
            if (i % WORK_EVERY == 0) {
                witness.work();
            }
        }
        throw new AssertionError(MANY + " " + kind + " were taken");
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
