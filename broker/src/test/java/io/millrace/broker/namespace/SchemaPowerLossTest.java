package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaTable;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schemas come and go, of few contents and few topics at the same time; power is lost at any point of it. */
@Timeout(120)
class SchemaPowerLossTest {
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data")).withJournal(16 * 1024, 4);
    private static final int STEPS = 120;
    private static final List<TopicName> TOPICS =
            List.of(TopicName.parse("a"), TopicName.parse("b"), TopicName.parse("c"));
    private static final List<SchemaContent> CONTENTS =
            List.of(SchemasTest.ID, SchemasTest.ID_AND_COUNT, SchemasTest.TEXT);

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final SimulatedDisk disk = new SimulatedDisk();
    /** Of each topic what it had, and how many changes of the disk had been made when that was told. */
    private final Map<TopicName, List<Told>> told = new HashMap<>();

    private record Told(int changes, TopicSchemas schemas) {}

    @Test
    @Behaviour("REG-8")
    void aVersionThatWasToldCanBeFetchedAfterAPowerLossAtAnyPoint() throws Exception {
        System.out.println("SchemaPowerLossTest: seed " + seed);
        try (NamespacesFixture broker = new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS)) {
            for (int step = 0; step < STEPS; step++) {
                step(broker);
            }
        }
        for (int changes = 0; changes <= disk.changeCount(); changes++) {
            SimulatedDisk left = SimulatedDisk.afterPowerLoss(disk.trace(), changes, seed + changes, null);
            try (BrokerLog log = BrokerLog.open(CONFIG, left)) {
                check(log, changes);
            }
        }
    }

    /** Something is done with every topic at the same time. */
    private void step(NamespacesFixture broker) throws Exception {
        Schemas schemas = broker.names.schemas();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (TopicName topic : TOPICS) {
            asked.add((random.nextInt(3) == 0
                            ? schemas.delete(topic)
                            : schemas.post(topic, CONTENTS.get(random.nextInt(CONTENTS.size()))))
                    .toCompletableFuture());
        }
        for (CompletableFuture<?> one : asked) {
            awaitEitherWay(one);
        }
        for (TopicName topic : TOPICS) {
            TopicSchemas now = new TopicSchemas(0, await(schemas.versions(topic)), Map.of());
            told.computeIfAbsent(topic, first -> new ArrayList<>()).add(new Told(disk.changeCount(), now));
        }
    }

    private static void awaitEitherWay(CompletableFuture<?> asked) throws Exception {
        try {
            asked.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(BrokerException.class);
        }
    }

    private void check(BrokerLog log, int changes) {
        SchemaTable table = new SchemaTable(log, MemoryBudget.ofThisProcess(), log.values());
        for (TopicName topic : TOPICS) {
            List<TopicSchemas.Version> left = table.of(topic).versions();
            for (TopicSchemas.Version version : left) {
                assertThat(SchemaTable.content(log, version).identity())
                        .as("version %d of %s after %d changes, seed %d", version.number(), topic, changes, seed)
                        .isEqualTo(version.identity());
            }
            List<Told> states = told.getOrDefault(topic, List.of());
            long before =
                    states.stream().filter(state -> state.changes <= changes).count();
            assertThat(states.stream()
                                    .skip(Math.max(0, before - 1))
                                    .map(state -> state.schemas.versions())
                                    .anyMatch(left::equals)
                            || (before == 0 && left.isEmpty()))
                    .as("what %s was told to have, after %d changes, seed %d", topic, changes, seed)
                    .isTrue();
        }
    }
}
