package io.millrace.broker.model;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.model.AdminState.Parts;
import io.millrace.broker.model.AdminState.Plain;
import io.millrace.broker.model.AdminState.Space;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * What administrators were told is done: of a namespace with its policies, of a topic and of a partitioned one with
 * properties, policies, schemas, subscriptions and ends. A verb without an answer may have been done or not; the parts of
 * one that goes partition by partition are done from the first on.
 */
final class AdminModel {
    private static final NamespaceName SPACE = NamespaceName.parse("administered/space");
    private static final TopicName PLAIN = TopicName.parse("administered");
    private static final TopicName PARTS = TopicName.parse("administered-parts");

    private final List<Fact> facts =
            List.of(new Fact(new Space(SPACE, 0)), new Fact(Plain.absent(PLAIN)), new Fact(Parts.absent(PARTS)));

    /** A verb, and everything that may be the case after it was cut short; the last is that it is done. */
    record Wanted(String verb, List<AdminState> steps, CompletionStage<?> asked) {}

    private static final class Fact {
        final Set<AdminState> possible = new HashSet<>();
        Wanted wanted;
        AdminState before;
        CompletableFuture<?> asked;
        boolean askedOfAFullDisk;
        int fillings;

        Fact(AdminState first) {
            possible.add(first);
        }
    }

    /** One verb, whose answer may come, or not before the broker dies. */
    void verb(World world, Random random) {
        settle(world);
        Fact fact = facts.get(random.nextInt(facts.size()));
        if (fact.possible.size() > 1 || fact.asked != null) {
            return;
        }
        fact.before = fact.possible.iterator().next();
        fact.askedOfAFullDisk = world.isFull();
        fact.fillings = world.fillings();
        fact.wanted = fact.before.next(world.directory, random);
        fact.possible.addAll(fact.wanted.steps);
        fact.asked = fact.wanted.asked.toCompletableFuture();
        world.deeds.add(Deed.ADMINISTER);
        world.note(fact.wanted.verb + " makes " + fact.wanted.steps + " of " + fact.before);
    }

    /** Counts the answers that have come while the broker lives. */
    void settle(World world) {
        for (Fact fact : facts) {
            if (fact.asked != null && fact.asked.isDone()) {
                settle(world, fact);
                fact.asked = null;
            }
        }
    }

    private static void settle(World world, Fact fact) {
        List<AdminState> steps = fact.wanted.steps;
        if (!fact.asked.isCompletedExceptionally()) {
            fact.possible.clear();
            fact.possible.add(steps.get(steps.size() - 1));
        } else if (fact.askedOfAFullDisk || world.fillings() > fact.fillings || isToBeTriedAgain(fact.asked)) {
            if (steps.size() == 1) {
                fact.possible.clear();
                fact.possible.add(fact.before);
            }
        } else {
            try {
                fact.asked.join();
            } catch (CompletionException e) {
                throw new ModelFailure(fact.wanted.verb + " is refused with " + fact.before + ": " + e);
            }
        }
    }

    private static boolean isToBeTriedAgain(CompletableFuture<?> asked) {
        boolean[] again = {false};
        var unused = asked.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            again[0] = cause instanceof BrokerException refusal && refusal.kind() == ErrorKind.SERVICE_NOT_READY;
            return null;
        });
        return again[0];
    }

    /** After a start: what is there is one of what may be, and whole. */
    void check(World world) {
        for (Fact fact : facts) {
            AdminState found = fact.possible.iterator().next().read(world.directory);
            if (!fact.possible.contains(found)) {
                throw new ModelFailure("found " + found + ", but may be " + fact.possible);
            }
            fact.asked = null;
            fact.possible.clear();
            fact.possible.add(found);
        }
    }

    /** What the log has of these topics, in their order. */
    static List<TopicFacts> facts(Namespaces names, NamespaceName namespace, TopicName whole) {
        List<TopicName> parts = new ArrayList<>();
        for (String name : names.topics(namespace).toCompletableFuture().join()) {
            TopicName topic = TopicName.parse(name);
            if (topic.whole().equals(whole)) {
                parts.add(topic);
            }
        }
        parts.sort(java.util.Comparator.comparing(TopicName::full));
        return names.facts(parts).toCompletableFuture().join();
    }
}
