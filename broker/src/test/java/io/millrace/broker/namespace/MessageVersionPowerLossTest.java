package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaTable;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message is written as soon as the version of its schema is told, by several producers at once; then the process is killed or power lost. */
@Timeout(120)
class MessageVersionPowerLossTest {
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data")).withJournal(16 * 1024, 4);
    private static final int ROUNDS = 30;
    private static final EntryHeader ONE_MESSAGE = new EntryHeader(1, 1, 0, 0, 0);
    private static final List<TopicName> TOPICS =
            List.of(TopicName.parse("a"), TopicName.parse("b"), TopicName.parse("c"));

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final SimulatedDisk disk = new SimulatedDisk();

    @Test
    @Behaviour("REG-8")
    void noMessageHasAVersionThatCannotBeFetchedAfterAKillOrAPowerLossAtAnyPoint() throws Exception {
        System.out.println("MessageVersionPowerLossTest: seed " + seed);
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS)) {
            publish(broker);
        }
        int messages = 0;
        for (int changes = 0; changes <= disk.changeCount(); changes++) {
            messages = check(SimulatedDisk.upTo(disk.trace(), changes), "kill after " + changes + " changes");
            check(
                    SimulatedDisk.afterPowerLoss(disk.trace(), changes, seed + changes, null),
                    "power loss after " + changes + " changes, seed " + seed);
        }
        assertThat(messages).as("messages at the end").isEqualTo(ROUNDS * TOPICS.size());
    }

    private static void publish(NamespacesFixture broker) throws Exception {
        List<TopicLog> logs = new ArrayList<>();
        for (TopicName topic : TOPICS) {
            logs.add(NamespacesFixture.await(broker.log.openTopic(topic.full())));
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<?>> published = new ArrayList<>();
            for (int i = 0; i < TOPICS.size(); i++) {
                TopicLog log = logs.get(i);
                published.add(broker.names
                        .schemas()
                        .admitProducer(TOPICS.get(i), schema(round, i))
                        .thenAccept(version -> log.append(
                                ONE_MESSAGE, Unpooled.copiedBuffer(Long.toString(version), StandardCharsets.UTF_8)))
                        .toCompletableFuture());
            }
            CompletableFuture.allOf(published.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        }
    }

    /** One more field each round. Two of the topics share the content. */
    private static SchemaContent schema(int round, int topic) {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i <= round; i++) {
            fields.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"f%d\",\"type\":\"int\",\"default\":%d}".formatted(i, topic / 2));
        }
        String text = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
        return new SchemaContent(SchemaType.AVRO, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** Looks at every message that is left, and returns how many there are. */
    private static int check(SimulatedDisk left, String when) throws Exception {
        int messages = 0;
        try (BrokerLog log = BrokerLog.open(CONFIG, left)) {
            SchemaTable table = new SchemaTable(log, MemoryBudget.ofThisProcess(), log.values());
            for (TopicName topic : TOPICS) {
                if (log.hasTopic(topic.full())) {
                    messages += check(log, table, topic, when);
                }
            }
        }
        return messages;
    }

    private static int check(BrokerLog log, SchemaTable table, TopicName topic, String when) throws Exception {
        TopicLog messages = NamespacesFixture.await(log.openTopic(topic.full()));
        int count = 0;
        Position at = Position.BEFORE_ALL;
        while (true) {
            List<Entry> entries = NamespacesFixture.await(messages.read(at, ROUNDS, 1 << 20));
            if (entries.isEmpty()) {
                return count;
            }
            for (Entry entry : entries) {
                at = messages.next(entry.position());
                count++;
                long number = Long.parseLong(entry.data().toString(StandardCharsets.UTF_8));
                entry.release();
                checkVersion(
                        log,
                        table.of(topic),
                        number,
                        "version %d of a message of %s: %s".formatted(number, topic, when));
            }
        }
    }

    private static void checkVersion(BrokerLog log, TopicSchemas schemas, long number, String what) {
        TopicSchemas.Version version = schemas.version(number);
        assertThat(version).as(what).isNotNull();
        assertThat(SchemaTable.content(log, version).identity()).as(what).isEqualTo(version.identity());
    }
}
