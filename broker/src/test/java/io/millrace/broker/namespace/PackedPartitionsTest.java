package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.namespace.SubscriptionVerbs.Chosen;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verbs with more partitions than there is room for: the first are closed and packed when the last are opened. */
@Timeout(60)
final class PackedPartitionsTest {
    private static final int PARTITIONS = 8;
    private static final int OPEN = 4;
    private static final int ENTRIES = 3;
    private static final TopicName TOPIC = TopicName.parse("orders");
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data"))
            .withJournal(64 * 1024, 4)
            .withLedgers(64 * 1024, 1)
            .withUnpackedTopics(1);

    private final SimulatedDisk disk = new SimulatedDisk();
    private final List<TopicName> parts =
            IntStream.range(0, PARTITIONS).mapToObj(TOPIC::partition).toList();

    @Test
    void aSubscriptionThatIsResetToTheFirstMessageGetsAllOfThem() throws Exception {
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS)) {
            await(broker.names.createPartitionedTopic(TOPIC, PARTITIONS, Map.of()));
            await(broker.names.subscriptions().create(parts, "s", NewSubscription.at(StartAt.EARLIEST)));
        }
        publish();
        TopicLimits limits = TopicLimits.DEFAULTS.withMaxOpenTopics(OPEN);
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS, limits)) {
            Chosen all = Chosen.one(parts, "s");
            onceThereIsRoom(
                    () -> broker.names.subscriptions().seek(all, SeekTarget.ToPosition.of(SeekTarget.EARLIEST)));
            assertThat(await(broker.names.facts(parts)))
                    .hasSize(PARTITIONS)
                    .allSatisfy(part -> assertThat(part.entries()).isEqualTo(ENTRIES))
                    .flatExtracting(part -> part.cursors())
                    .hasSize(PARTITIONS)
                    .allSatisfy(cursor -> assertThat(cursor.backlogEntries()).isEqualTo(ENTRIES));
        }
    }

    private void publish() throws Exception {
        try (BrokerLog log = BrokerLog.open(CONFIG, disk)) {
            for (TopicName part : parts) {
                TopicLog topic = await(log.openTopic(part.full()));
                for (int entry = 0; entry < ENTRIES; entry++) {
                    topic.append(
                            new EntryHeader(1, entry, 7, 0, 0),
                            Unpooled.copiedBuffer("m" + entry, StandardCharsets.UTF_8));
                }
                await(topic.facts());
            }
        }
    }

    /** A topic that was just opened is not known to be idle, so that there may be none to make room. */
    private static void onceThereIsRoom(Supplier<CompletionStage<Void>> verb) throws Exception {
        while (true) {
            try {
                await(verb.get());
                return;
            } catch (BrokerException refused) {
                assertThat(refused.kind()).isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
            }
        }
    }
}
