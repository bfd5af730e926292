package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.SubscribeRequest;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicFigures.SubscriptionFigures;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users say of the subscriptions of all partitions is replaced for all of them, or for none. */
@Timeout(60)
final class SubscriptionPropertiesTest {
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data")).withJournal(1 << 20, 2);
    private static final TopicName TOPIC = TopicName.parse("x");
    private static final int PARTITIONS = 3;
    private static final Map<String, String> X = Map.of("x", "1");
    private static final Map<String, String> Y = Map.of("y", "2", "z", "");
    private static final long SMALL_HEAP_BYTES = 7_000_000;

    private final SimulatedDisk disk = new SimulatedDisk();

    @Test
    void whatOnePartitionHasNoSubscriptionForIsDoneToNone() throws Exception {
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS)) {
            List<TopicName> parts = partitions(broker.names);
            for (TopicName part : parts.subList(0, 2)) {
                await(await(broker.names.open(part, false)).createSubscription("s", made(X)));
            }
            assertThatThrownBy(() -> await(broker.names.subscriptions().setProperties(parts, "s", Y)))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("x-partition-2")
                    .extracting(refusal -> ((BrokerException) refusal).kind())
                    .isEqualTo(ErrorKind.SUBSCRIPTION_NOT_FOUND);
            assertThat(stored(broker, "s").values()).containsExactly(X, X);
        }
    }

    /** A subscription without a cursor has its properties in memory: its topic is told. */
    @Test
    void whatIsThereForItsConsumersAloneIsReplacedToo() throws Exception {
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS)) {
            List<TopicName> parts = partitions(broker.names);
            Topic unkept = await(broker.names.open(parts.get(1), false));
            await(unkept.subscribe(new SubscribeRequest(
                    "s", false, made(X), new IdleConsumer(), ConsumerOptions.of(1, "c", SubscriptionType.SHARED))));
            for (TopicName part : List.of(parts.get(0), parts.get(2))) {
                await(await(broker.names.open(part, false)).createSubscription("s", made(X)));
            }
            await(broker.names.subscriptions().setProperties(parts, "s", Y));
            assertThat(stored(broker, "s").values()).containsExactly(Y, Y);
            assertThat(await(unkept.figures()).subscriptions())
                    .extracting(SubscriptionFigures::properties)
                    .containsExactly(Y);
        }
    }

    @Test
    void whereThereIsNoMemoryForMoreTheyAreRefusedAndMayBeEmptied() throws Exception {
        NamespacesFixture.Limits limits =
                new NamespacesFixture.Limits(TopicLimits.DEFAULTS, new MemoryBudget(SMALL_HEAP_BYTES));
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS, limits)) {
            List<TopicName> parts = partitions(broker.names);
            NewSubscription large = made(Map.of("x", "x".repeat(60_000)));
            List<String> made = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            await(broker.names.subscriptions().create(parts, "s" + i, large));
                            made.add("s" + i);
                        }
                    })
                    .extracting(refusal -> ((BrokerException) refusal).kind())
                    .isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
            assertThatThrownBy(() -> await(broker.names.subscriptions().setProperties(parts, "s0", Y)))
                    .extracting(refusal -> ((BrokerException) refusal).kind())
                    .isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
            assertThat(stored(broker, "s0").values()).allMatch(large.properties()::equals);
            await(broker.names.subscriptions().setProperties(parts, "s0", Map.of()));
            assertThat(stored(broker, "s0").values()).hasSize(PARTITIONS).allMatch(Map::isEmpty);
            assertThat(made).isNotEmpty();
        }
    }

    private static NewSubscription made(Map<String, String> properties) {
        return new NewSubscription(StartAt.EARLIEST, properties);
    }

    private static List<TopicName> partitions(Namespaces names) throws Exception {
        await(names.createPartitionedTopic(TOPIC, PARTITIONS, Map.of()));
        return await(names.parts(TOPIC));
    }

    /** What the log has of that subscription, by topic. */
    private static Map<String, Map<String, String>> stored(NamespacesFixture broker, String name) throws Exception {
        Map<String, Map<String, String>> stored = new TreeMap<>();
        for (TopicFacts facts : await(broker.names.facts(await(broker.names.parts(TOPIC))))) {
            facts.cursors().stream()
                    .filter(cursor -> cursor.name().equals(name))
                    .forEach(cursor -> stored.put(facts.name(), cursor.properties()));
        }
        return stored;
    }

    /** A consumer that asks for nothing. */
    private static final class IdleConsumer implements ConsumerLink {
        @Override
        public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
            throw new AssertionError("nobody asked for " + entry);
        }

        @Override
        public void flush() {
            // Nothing is written.
        }

        @Override
        public void activeChanged(boolean active) {
            // All the same to it.
        }

        @Override
        public void closed(CloseReason reason) {
            // It ends with its topic.
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public String describe() {
            return "a consumer that asks for nothing";
        }
    }
}
