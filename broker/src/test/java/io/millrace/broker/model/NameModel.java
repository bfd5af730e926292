package io.millrace.broker.model;

import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What was promised of names, and what may be: of each namespace whether it is there, of each partitioned topic how many
 * partitions. A verb without an answer may have been done or not; none is ever half done.
 */
final class NameModel {
    private static final int NAMESPACES = 2;
    private static final int TOPICS = 3;

    /** What each name may be: 0 for absent, else its partitions, or 1 of a namespace. */
    private final List<Fact> facts = new ArrayList<>();

    private static final class Fact {
        final NamespaceName namespace;
        final TopicName topic;
        final Set<Integer> possible = new HashSet<>(Set.of(0));
        /** The verb that is under way, and what it makes of the name. */
        CompletableFuture<?> asked;

        int from;
        int to;
        /** Whether the disk was full as the verb was asked, and how often it had been full. */
        boolean askedOfAFullDisk;

        int fillings;

        Fact(NamespaceName namespace, TopicName topic) {
            this.namespace = namespace;
            this.topic = topic;
        }

        @Override
        public String toString() {
            return topic == null ? "namespace " + namespace : topic.full();
        }
    }

    NameModel() {
        for (int i = 0; i < NAMESPACES; i++) {
            facts.add(new Fact(new NamespaceName("tenant-" + i, "space"), null));
        }
        for (int i = 0; i < TOPICS; i++) {
            TopicName topic = TopicName.parse("partitioned-" + i);
            facts.add(new Fact(NamespaceName.of(topic), topic));
        }
    }

    /** One verb, whose answer may come, or not before the broker dies. */
    void verb(World world, Random random) {
        facts.forEach(fact -> settle(world, fact));
        Fact fact = facts.get(random.nextInt(facts.size()));
        Namespaces names = world.directory;
        if (fact.possible.size() > 1) {
            return;
        }
        int now = fact.possible.iterator().next();
        int wanted = fact.topic == null ? 1 - now : random.nextInt(3) == 0 ? 0 : now + 1 + random.nextInt(4);
        if (wanted == now) {
            return;
        }
        world.deeds.add(Deed.CHANGE_NAME);
        world.note(fact + " goes from " + now + " to " + wanted);
        fact.possible.add(wanted);
        fact.from = now;
        fact.to = wanted;
        fact.askedOfAFullDisk = world.isFull();
        fact.fillings = world.fillings();
        fact.asked = ask(names, fact, now, wanted).toCompletableFuture();
    }

    /**
     * An answer counts only if it has come while the broker lives; it may be a refusal if the disk was full at any time
     * between the verb and now.
     */
    private static void settle(World world, Fact fact) {
        if (fact.asked == null || !fact.asked.isDone()) {
            return;
        }
        if (!fact.asked.isCompletedExceptionally()) {
            fact.possible.remove(fact.from);
        } else if (fact.askedOfAFullDisk || world.fillings() > fact.fillings) {
            fact.possible.remove(fact.to);
        } else {
            fact.asked.join();
        }
        fact.asked = null;
    }

    private static java.util.concurrent.CompletionStage<?> ask(Namespaces names, Fact fact, int now, int wanted) {
        if (fact.topic == null) {
            return wanted == 0 ? names.deleteNamespace(fact.namespace) : names.ensureNamespace(fact.namespace);
        }
        if (wanted == 0) {
            return names.deleteTopic(fact.topic, true);
        }
        return now == 0
                ? names.createPartitionedTopic(fact.topic, wanted, Map.of())
                : names.growPartitionedTopic(fact.topic, wanted);
    }

    /** After a start: what is there is one of what may be, and whole. */
    void check(World world) {
        try {
            for (Fact fact : facts) {
                int found = fact.topic == null ? namespace(world, fact) : partitions(world, fact);
                if (!fact.possible.contains(found)) {
                    throw new ModelFailure(fact + " is " + found + ", but may be " + fact.possible);
                }
                fact.asked = null;
                fact.possible.clear();
                fact.possible.add(found);
            }
        } catch (CompletionException e) {
            throw new ModelFailure("names are not told: " + e);
        }
    }

    private static int namespace(World world, Fact fact) {
        List<String> tenants = world.directory.tenants().toCompletableFuture().join();
        boolean isThere = tenants.contains(fact.namespace.tenant())
                && world.directory
                        .namespaces(fact.namespace.tenant())
                        .toCompletableFuture()
                        .join()
                        .contains(fact.namespace);
        return isThere ? 1 : 0;
    }

    private static int partitions(World world, Fact fact) {
        List<String> topics =
                world.directory.topics(fact.namespace).toCompletableFuture().join();
        int there = (int) topics.stream()
                .filter(name -> TopicName.wholeOf(name).equals(fact.topic.full()))
                .count();
        boolean isKnown = world.directory
                .partitionedTopics(fact.namespace)
                .toCompletableFuture()
                .join()
                .contains(fact.topic);
        int told = isKnown
                ? world.directory
                        .partitionsOf(fact.topic, false)
                        .toCompletableFuture()
                        .join()
                : 0;
        if (told != there) {
            throw new ModelFailure(fact + " says " + told + " partitions, and has " + there);
        }
        return told;
    }
}
