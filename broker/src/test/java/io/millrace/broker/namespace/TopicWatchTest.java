package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TopicWatchTest {
    private static final int WATCHERS = 100;
    private static final int TOPICS = 10_000;

    @TempDir
    Path folder;

    private NamespacesFixture broker;
    private Namespaces names;

    @BeforeEach
    void start() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(8 << 20, 2);
        broker = new NamespacesFixture(config, new DiskFiles(), NamespaceSettings.DEFAULTS);
        names = broker.names;
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** What is compiled of a pattern is many times its text. */
    @Test
    @Behaviour("NS-9")
    void patternsAreCountedByWhatTheyTake() throws Exception {
        broker.close();
        MemoryBudget memory = new MemoryBudget(7_000_000);
        broker = new NamespacesFixture(
                LogConfig.defaults(folder).withJournal(8 << 20, 2),
                new DiskFiles(),
                NamespaceSettings.DEFAULTS,
                new NamespacesFixture.Limits(TopicLimits.DEFAULTS, memory));
        names = broker.names;
        long before = memory.heldBytes(MemoryBudget.Kind.CONSUMERS);
        TopicWatcher watcher = new Following("(ab){100}");
        await(names.watch(NamespaceName.DEFAULT, "(ab){100}", watcher));
        assertThat(memory.heldBytes(MemoryBudget.Kind.CONSUMERS) - before).isGreaterThanOrEqualTo(80_000);
        names.unwatch(NamespaceName.DEFAULT, "(ab){100}", watcher);
        until("it is given back", () -> memory.heldBytes(MemoryBudget.Kind.CONSUMERS) == before);
    }

    /** A client: what it knows, by what it was told. */
    private static final class Following implements TopicWatcher {
        final String pattern;
        private final TreeSet<String> known = new TreeSet<>();
        private String hash = "";

        Following(String pattern) {
            this.pattern = pattern;
        }

        synchronized void begin(TopicList list) {
            known.addAll(list.names());
            hash = list.hash();
        }

        @Override
        public synchronized void changed(List<String> made, List<String> deleted, String newHash) {
            known.addAll(made);
            deleted.forEach(known::remove);
            hash = newHash;
        }

        synchronized boolean knows(List<String> topics) {
            return known.equals(new TreeSet<>(topics)) && hash.equals(TopicList.hash(known));
        }
    }

    /** Ten thousand topics in groups of a hundred, each followed by one, while topics of all groups come and go. */
    @Test
    @Behaviour("NS-10")
    void aHundredWatchersAmongTenThousandTopicsMissNothingAndHoldNothingInTheEnd() throws Exception {
        for (int group = 0; group < WATCHERS; group++) {
            await(names.createPartitionedTopic(topic(group, 0), TOPICS / WATCHERS, Map.of()));
        }
        List<Following> watchers = new ArrayList<>();
        List<CompletionStage<Void>> begun = new ArrayList<>();
        for (int group = 0; group < WATCHERS; group++) {
            Following watcher = new Following("public/default/group-" + group + "-.*");
            watchers.add(watcher);
            begun.add(
                    names.watch(NamespaceName.DEFAULT, watcher.pattern, watcher).thenAccept(watcher::begin));
        }
        for (CompletionStage<Void> one : begun) {
            await(one);
        }
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            TopicName name = topic(random.nextInt(WATCHERS), 1 + random.nextInt(3));
            if (await(names.partitionsOf(name, true)) == 0) {
                await(names.createPartitionedTopic(name, 1 + random.nextInt(3), Map.of()));
            } else {
                await(names.deleteTopic(name, true));
            }
        }
        for (int group = 0; group < WATCHERS; group++) {
            Following watcher = watchers.get(group);
            List<String> there = await(names.list(
                            new TopicListing(NamespaceName.DEFAULT, TopicName.Domain.PERSISTENT, watcher.pattern)))
                    .names();
            assertThat(there).hasSizeGreaterThanOrEqualTo(TOPICS / WATCHERS);
            until("group " + group, () -> watcher.knows(there));
        }
        watchers.forEach(watcher -> names.unwatch(NamespaceName.DEFAULT, watcher.pattern, watcher));
        until("nothing is held", () -> names.memory().heldBytes(MemoryBudget.Kind.CONSUMERS) == 0);
    }

    @Test
    @Behaviour("NS-10")
    void whoLeavesWhileTheTopicsAreListedHoldsNothing() throws Exception {
        await(names.createPartitionedTopic(topic(0, 0), 1_000, Map.of()));
        for (int i = 0; i < 50; i++) {
            Following watcher = new Following("public/default/.*" + i % 3);
            CompletionStage<TopicList> begun = names.watch(NamespaceName.DEFAULT, watcher.pattern, watcher);
            names.unwatch(NamespaceName.DEFAULT, watcher.pattern, watcher);
            assertThat(await(begun)).isNotNull();
        }
        until("nothing is held", () -> names.memory().heldBytes(MemoryBudget.Kind.CONSUMERS) == 0);
    }

    @Test
    @Behaviour("NS-5")
    void aThousandPartitionsAreMadeGrownAndDeletedAtOnce() throws Exception {
        TopicName name = TopicName.parse("wide");
        await(names.createPartitionedTopic(name, 1_000, Map.of()));
        await(names.growPartitionedTopic(name, 2_000));
        for (int i = 0; i < 2_000; i += 100) {
            await(names.open(name.partition(i), false));
        }
        assertThat(await(names.topics(NamespaceName.DEFAULT))).hasSize(2_000);
        await(names.deleteTopic(name, true));
        assertThat(broker.log.topicNames()).isEmpty();
    }

    private static TopicName topic(int group, int number) {
        return TopicName.parse("group-" + group + "-" + number);
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
