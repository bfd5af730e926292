package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.namespace.SubscriptionVerbs.Chosen;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every verb of administrators, one after the other; the broker is killed, or power is lost, at any point of it. What is
 * found then is what there was before the verb that was under way, or after it.
 */
@Timeout(300)
class AdminPowerLossTest {
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4);
    private static final NamespaceName DEV = NamespaceName.parse("acme/dev");
    private static final TopicName PLAIN = TopicName.parse("acme/dev/plain");
    private static final TopicName PARTS = TopicName.parse("acme/dev/parts");
    /** One with messages. */
    private static final TopicName ORDERS = TopicName.parse("orders");

    private static final int ENTRIES = 5;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final List<Step> steps = new ArrayList<>();
    private SimulatedDisk disk = new SimulatedDisk();

    /** A verb, or a part of one that is made of several. */
    private record Step(String name, Function<Namespaces, CompletionStage<?>> verb) {}

    /** What there was once a verb was answered, and how many changes the disk had seen by then. */
    private record Told(String verb, int changes, Map<String, String> state) {}

    @Test
    @Behaviour({"NS-2", "NS-5", "NS-6"})
    void everyVerbIsDoneOrNotDoneWhereverItIsCutShort() throws Exception {
        System.out.println("AdminPowerLossTest: seed " + seed);
        prepare();
        script();
        List<Told> told = new ArrayList<>();
        disk = SimulatedDisk.upTo(disk.trace(), disk.changeCount());
        try (NamespacesFixture broker = open(disk)) {
            told.add(new Told("the start", disk.changeCount(), state(broker)));
            for (Step step : steps) {
                await(step.verb.apply(broker.names));
                told.add(new Told(step.name, disk.changeCount(), state(broker)));
            }
            for (int i = 1; i < told.size(); i++) {
                assertThat(told.get(i).state).as(told.get(i).verb).isNotEqualTo(told.get(i - 1).state);
            }
        }
        int first = told.get(0).changes;
        int last = told.get(told.size() - 1).changes;
        for (int changes = first; changes <= last; changes++) {
            check("a kill", SimulatedDisk.upTo(disk.trace(), changes), told, changes);
            check(
                    "a power loss of seed " + (seed + changes),
                    SimulatedDisk.afterPowerLoss(disk.trace(), changes, seed + changes, null),
                    told,
                    changes);
        }
    }

    private static NamespacesFixture open(SimulatedDisk disk) throws Exception {
        return new NamespacesFixture(CONFIG, disk, NamespaceSettings.DEFAULTS);
    }

    private void check(String what, SimulatedDisk left, List<Told> told, int changes) throws Exception {
        int done = (int) told.stream().filter(each -> each.changes <= changes).count() - 1;
        Told before = told.get(done);
        Told after = told.get(Math.min(done + 1, told.size() - 1));
        try (NamespacesFixture broker = open(left)) {
            assertThat(state(broker))
                    .as("%s after %d changes of the disk, in the middle of: %s", what, changes, after.verb)
                    .isIn(before.state, after.state);
        }
    }

    /** A partitioned topic with messages and two subscriptions. */
    private void prepare() throws Exception {
        try (NamespacesFixture broker = open(disk)) {
            await(broker.names.createPartitionedTopic(ORDERS, 3, Map.of()));
            for (int i = 0; i < 3; i++) {
                Topic part = await(broker.names.open(ORDERS.partition(i), false));
                await(part.createSubscription("s", StartAt.EARLIEST));
                await(part.createSubscription("t", StartAt.EARLIEST));
            }
        }
        try (BrokerLog log = BrokerLog.open(CONFIG, disk)) {
            for (int i = 0; i < 3; i++) {
                TopicLog part = await(log.openTopic(ORDERS.partition(i).full()));
                for (int entry = 0; entry < ENTRIES; entry++) {
                    part.append(
                            new EntryHeader(1, entry, 7, 0, 0),
                            Unpooled.copiedBuffer("m" + entry, StandardCharsets.UTF_8));
                }
            }
        }
    }

    private void script() {
        step("createTenant", names -> names.createTenant("acme", Map.of("roles", "r")));
        step("updateTenant", names -> names.updateTenant("acme", Map.of("roles", "q", "clusters", "c")));
        step("createNamespace", names -> names.createNamespace(DEV, Map.of("a", "1", "b", "1")));
        step("setPolicies", names -> names.setPolicies(DEV, Set.of("a"), Map.of("b", "2", "c", "2")));
        step("createTopic", names -> names.createTopic(PLAIN, Map.of("p", "1", "q", "1")));
        step("changeProperties", names -> names.changeProperties(PLAIN, Map.of("p", "2", "r", "2"), Set.of("q")));
        step("setTopicPolicies", names -> names.setTopicPolicies(PLAIN, Set.of(), Map.of("x", "1", "y", "1")));
        step("post", names -> names.schemas().post(PLAIN, SchemasTest.ID));
        step("post again", names -> names.schemas().post(PLAIN, SchemasTest.ID_AND_COUNT));
        step("createPartitionedTopic", names -> names.createPartitionedTopic(PARTS, 3, Map.of("p", "1")));
        for (int i = 0; i < 3; i++) {
            on(
                    "createSubscription",
                    PARTS.partition(i),
                    topic -> topic.createSubscription(
                            "s", new NewSubscription(StartAt.EARLIEST, Map.of("of", "consumers", "x", "1"))));
        }
        on("setProperties", PARTS.partition(2), topic -> topic.setProperties("s", Map.of("y", "2", "z", "2")));
        step("growPartitionedTopic", names -> names.growPartitionedTopic(PARTS, 8));
        step(
                "setTopicPolicies of several",
                names -> names.setTopicPolicies(Map.of(
                        PLAIN, new PolicyChange(Set.of("x"), Map.of("permission r", "1")),
                        PARTS, new PolicyChange(Set.of(), Map.of("permission r", "2")),
                        ORDERS, new PolicyChange(Set.of(), Map.of("permission r", "3")))));
        step("changeProperties of parts", names -> names.changeProperties(PARTS, Map.of("q", "2"), Set.of("p")));
        subscriptions(ORDERS.partition(0));
        together(List.of(ORDERS.partition(0), ORDERS.partition(1), ORDERS.partition(2)));
        step("growPartitionedTopic with messages", names -> names.growPartitionedTopic(ORDERS, 6));
        step("truncate", names -> names.truncate(ORDERS));
        step("terminate", names -> names.terminate(ORDERS));
        step("schema's deletion", names -> names.schemas().delete(PLAIN));
        step("post for no topic", names -> names.schemas().post(TopicName.parse("acme/dev/no"), SchemasTest.TEXT));
        step("deleteTopic", names -> names.deleteTopic(ORDERS, true));
        step("deleteNamespace by force", names -> names.deleteNamespaceWithTopics(DEV));
        step("deleteTenant", names -> names.deleteTenant("acme"));
        step("createTenant again", names -> names.createTenant("acme", Map.of()));
        for (String name : List.of("acme/one", "acme/two")) {
            step("createNamespace " + name, names -> names.createNamespace(NamespaceName.parse(name), Map.of()));
            step(
                    "createPartitionedTopic in " + name,
                    names -> names.createPartitionedTopic(TopicName.parse(name + "/t"), 2, Map.of()));
            step("post in " + name, names -> names.schemas().post(TopicName.parse(name + "/t"), SchemasTest.ID));
        }
        step("deleteTenant by force", names -> names.deleteTenantWithTopics("acme"));
    }

    /** Verbs that concern several topics. */
    private void together(List<TopicName> parts) {
        Chosen both = new Chosen(parts, null, true);
        Chosen one = Chosen.one(parts, "s");
        verbs("createSubscription u of all", verbs -> verbs.create(parts, "u", NewSubscription.at(StartAt.LATEST)));
        verbs(
                "createSubscription v of all",
                verbs -> verbs.create(parts, "v", new NewSubscription(StartAt.EARLIEST, Map.of("k", "v"))));
        verbs("set properties of v of all", verbs -> verbs.setProperties(parts, "v", Map.of("k", "w", "l", "x")));
        verbs("reset all to a time", verbs -> verbs.seek(one, new SeekTarget.ToTime(2)));
        verbs("expire all", verbs -> verbs.expire(one, 4));
        verbs("reset all", verbs -> verbs.seek(one, SeekTarget.ToPosition.of(SeekTarget.EARLIEST)));
        verbs("expire all of each", verbs -> verbs.expire(both, 3));
        verbs("empty properties of v of all", verbs -> verbs.setProperties(parts, "v", Map.of()));
        verbs("skip all of all", verbs -> verbs.skipAll(one));
        verbs("delete subscription v of all", verbs -> verbs.delete(parts, "v", true));
        verbs("clear the backlog", verbs -> verbs.skipAll(both));
        verbs("delete subscription u of all", verbs -> verbs.delete(parts, "u", false));
        verbs("createSubscription u again", verbs -> verbs.create(parts, "u", NewSubscription.at(StartAt.EARLIEST)));
    }

    private void verbs(String name, Function<SubscriptionVerbs, CompletionStage<?>> verb) {
        step(name, names -> verb.apply(names.subscriptions()));
    }

    private void subscriptions(TopicName topic) {
        on("skip", topic, part -> part.skip("s", new SkipTarget.Entries(2)));
        on("reset", topic, part -> part.seek("s", SeekTarget.ToPosition.of(SeekTarget.EARLIEST)));
        on(
                "expire",
                topic,
                part -> part.findByTime(3)
                        .thenCompose(first -> part.skip("s", new SkipTarget.UpTo(part.before(first)))));
        on("skip all", topic, part -> part.skip("s", SkipTarget.ALL));
        on("reset to a time", topic, part -> part.seek("s", new SeekTarget.ToTime(1)));
        on("delete subscription", topic, part -> part.deleteSubscription("t", true));
    }

    private void step(String name, Function<Namespaces, CompletionStage<?>> verb) {
        steps.add(new Step(name, verb));
    }

    private void on(String name, TopicName topic, Function<Topic, CompletionStage<Void>> verb) {
        step(name + " of " + topic.local(), names -> names.open(topic, false).thenCompose(verb));
    }

    /** Everything that an administrator can see. */
    private static Map<String, String> state(NamespacesFixture broker) throws Exception {
        Map<String, String> state = new TreeMap<>();
        Namespaces names = broker.names;
        for (String tenant : await(names.tenants())) {
            state.put("tenant " + tenant, new TreeMap<>(await(names.tenant(tenant))).toString());
            for (NamespaceName namespace : await(names.namespaces(tenant))) {
                state.put("namespace " + namespace, new TreeMap<>(await(names.policies(namespace))).toString());
                stateOf(broker, namespace, state);
            }
        }
        return state;
    }

    private static void stateOf(NamespacesFixture broker, NamespaceName namespace, Map<String, String> state)
            throws Exception {
        Namespaces names = broker.names;
        Set<TopicName> topics = new TreeSet<>(java.util.Comparator.comparing(TopicName::full));
        topics.add(TopicName.parse(namespace + "/no"));
        for (TopicName topic : await(names.partitionedTopics(namespace))) {
            state.put("partitions of " + topic, "" + await(names.partitionsOf(topic, false)));
            topics.add(topic);
        }
        for (String full : await(names.topics(namespace))) {
            topics.add(TopicName.parse(full).whole());
            for (TopicFacts facts : await(names.facts(List.of(TopicName.parse(full))))) {
                state.put(
                        full,
                        facts.cursors().stream()
                                        .map(AdminPowerLossTest::cursor)
                                        .sorted()
                                        .toList()
                                + (facts.use().isTerminated() ? " terminated" : ""));
            }
        }
        for (TopicName topic : topics) {
            state.put(
                    "schemas of " + topic,
                    await(names.schemas().versions(topic)).toString());
            if (!topic.local().equals("no")) {
                state.put("properties of " + topic, new TreeMap<>(await(names.properties(topic))).toString());
                state.put("policies of " + topic, new TreeMap<>(await(names.topicPolicies(topic))).toString());
            }
        }
    }

    private static String cursor(TopicFacts.CursorFacts cursor) {
        return cursor.name() + " at " + cursor.markDelete() + " with " + cursor.backlogEntries() + " "
                + cursor.properties();
    }
}
