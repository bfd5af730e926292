package io.millrace.broker.model;

import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.model.AdminModel.Wanted;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What an administrator sees of one thing; values are equal if they look alike. */
sealed interface AdminState {
    /** Some verb that may be asked now. */
    Wanted next(Namespaces names, Random random);

    /** The same thing as it is there now. */
    AdminState read(Namespaces names);

    /** A namespace whose two policies are always set to the same number; 0 if there is none. */
    record Space(NamespaceName name, int number) implements AdminState {
        @Override
        public Wanted next(Namespaces names, Random random) {
            int wanted = number + 1;
            if (number == 0) {
                return new Wanted(
                        "createNamespace",
                        List.of(new Space(name, wanted)),
                        names.createTenant(name.tenant(), Map.of())
                                .exceptionally(there -> null)
                                .thenCompose(done -> names.createNamespace(name, texts(wanted))));
            }
            return random.nextInt(3) == 0
                    ? new Wanted(
                            "deleteNamespace",
                            List.of(new Space(name, 0)),
                            names.createTopic(TopicName.parse(name + "/topic"), Map.of("a", "b"))
                                    .exceptionally(there -> null)
                                    .thenCompose(done -> names.deleteNamespaceWithTopics(name)))
                    : new Wanted(
                            "setPolicies",
                            List.of(new Space(name, wanted)),
                            names.setPolicies(name, Set.of(), texts(wanted)));
        }

        @Override
        public Space read(Namespaces names) {
            boolean isThere = join(names.tenants()).contains(name.tenant())
                    && join(names.namespaces(name.tenant())).contains(name);
            return new Space(name, isThere ? told(join(names.policies(name))) : 0);
        }
    }

    /** A topic without partitions. */
    record Plain(TopicName name, int properties, int policies, long schemas, Part part) implements AdminState {
        static Plain absent(TopicName name) {
            return new Plain(name, 0, 0, 0, Part.NONE);
        }

        @Override
        public Wanted next(Namespaces names, Random random) {
            if (properties == 0) {
                return wanted("createTopic", new Plain(name, 1, 0, 0, Part.NONE), names.createTopic(name, texts(1)));
            }
            return switch (random.nextInt(7)) {
                case 0 -> wanted("deleteTopic", absent(name), names.deleteTopic(name, true));
                case 1 ->
                    wanted(
                            "changeProperties",
                            new Plain(name, properties + 1, policies, schemas, part),
                            names.changeProperties(name, texts(properties + 1), Set.of()));
                case 2 ->
                    wanted(
                            "setTopicPolicies",
                            new Plain(name, properties, policies + 1, schemas, part),
                            names.setTopicPolicies(name, Set.of(), texts(policies + 1)));
                case 3 ->
                    schemas == 0
                            ? wanted(
                                    "post",
                                    new Plain(name, properties, policies, 1, part),
                                    names.schemas().post(name, SCHEMA))
                            : wanted(
                                    "deleteSchema",
                                    new Plain(name, properties, policies, 0, part),
                                    names.schemas().delete(name));
                case 4 -> wanted("terminate", with(part.terminated()), names.terminate(name));
                case 5 -> wanted("truncate", this, names.truncate(name));
                default -> subscribe(names, random);
            };
        }

        private Wanted subscribe(Namespaces names, Random random) {
            String subscription = "s" + random.nextInt(3);
            return part.has(subscription)
                    ? wanted(
                            "deleteSubscription", with(part.without(subscription)), deletion(names, name, subscription))
                    : wanted("createSubscription", with(part.with(subscription)), creation(names, name, subscription));
        }

        private Plain with(Part changed) {
            return new Plain(name, properties, policies, schemas, changed);
        }

        @Override
        public Plain read(Namespaces names) {
            List<TopicFacts> facts = AdminModel.facts(names, NamespaceName.of(name), name);
            return facts.isEmpty()
                    ? absent(name)
                    : new Plain(
                            name,
                            told(join(names.properties(name))),
                            told(join(names.topicPolicies(name))),
                            join(names.schemas().versions(name)).size(),
                            Part.of(facts.get(0)));
        }
    }

    /** A partitioned topic, and what each partition has. */
    record Parts(TopicName name, int properties, List<Part> parts) implements AdminState {
        private static final int MAX_PARTITIONS = 6;

        static Parts absent(TopicName name) {
            return new Parts(name, 0, List.of());
        }

        @Override
        public Wanted next(Namespaces names, Random random) {
            if (parts.isEmpty()) {
                int count = 1 + random.nextInt(3);
                return wanted(
                        "createPartitionedTopic",
                        new Parts(name, 1, Collections.nCopies(count, Part.NONE)),
                        names.createPartitionedTopic(name, count, texts(1)));
            }
            return switch (random.nextInt(7)) {
                case 0 -> wanted("deleteTopic", absent(name), names.deleteTopic(name, true));
                case 1 ->
                    wanted(
                            "changeProperties",
                            new Parts(name, properties + 1, parts),
                            names.changeProperties(name, texts(properties + 1), Set.of()));
                case 2 ->
                    wanted(
                            "terminate",
                            new Parts(
                                    name,
                                    properties,
                                    parts.stream().map(Part::terminated).toList()),
                            names.terminate(name));
                case 3 -> wanted("truncate", this, names.truncate(name));
                case 4, 5 -> grow(names, random);
                default -> subscribe(names, random);
            };
        }

        /** New partitions have every subscription that one of the others has. */
        private Wanted grow(Namespaces names, Random random) {
            int count = Math.min(MAX_PARTITIONS, parts.size() + 1 + random.nextInt(2));
            Set<String> all = new TreeSet<>();
            parts.forEach(part -> all.addAll(part.subscriptions));
            List<Part> grown = new ArrayList<>(parts);
            while (grown.size() < count) {
                grown.add(new Part(all, false));
            }
            return wanted(
                    "growPartitionedTopic",
                    new Parts(name, properties, List.copyOf(grown)),
                    names.growPartitionedTopic(name, count));
        }

        /** One partition after the other. */
        private Wanted subscribe(Namespaces names, Random random) {
            String subscription = "s" + random.nextInt(3);
            List<AdminState> steps = new ArrayList<>();
            List<Part> now = new ArrayList<>(parts);
            CompletionStage<Void> asked = CompletableFuture.completedFuture(null);
            for (int i = 0; i < parts.size(); i++) {
                TopicName partition = name.partition(i);
                now.set(i, now.get(i).with(subscription));
                steps.add(new Parts(name, properties, List.copyOf(now)));
                asked = asked.thenCompose(done -> creation(names, partition, subscription));
            }
            return new Wanted("createSubscription", steps, asked);
        }

        @Override
        public Parts read(Namespaces names) {
            NamespaceName namespace = NamespaceName.of(name);
            List<TopicFacts> facts = AdminModel.facts(names, namespace, name);
            boolean isThere = join(names.partitionedTopics(namespace)).contains(name);
            int told = isThere ? join(names.partitionsOf(name, false)) : 0;
            if (told != facts.size()) {
                throw new ModelFailure(name + " says " + told + " partitions, and has " + facts.size());
            }
            return isThere
                    ? new Parts(
                            name,
                            told(join(names.properties(name))),
                            facts.stream().map(Part::of).toList())
                    : absent(name);
        }
    }

    /** What a topic that is one log has. */
    record Part(Set<String> subscriptions, boolean isTerminated) {
        static final Part NONE = new Part(Set.of(), false);

        static Part of(TopicFacts facts) {
            Set<String> names = new TreeSet<>();
            facts.cursors().forEach(cursor -> names.add(cursor.name()));
            return new Part(names, facts.use().isTerminated());
        }

        boolean has(String name) {
            return subscriptions.contains(name);
        }

        Part with(String name) {
            Set<String> names = new TreeSet<>(subscriptions);
            names.add(name);
            return new Part(names, isTerminated);
        }

        Part without(String name) {
            Set<String> names = new TreeSet<>(subscriptions);
            names.remove(name);
            return new Part(names, isTerminated);
        }

        Part terminated() {
            return new Part(subscriptions, true);
        }
    }

    SchemaContent SCHEMA = new SchemaContent(SchemaType.STRING, new byte[0], Map.of());

    private static Wanted wanted(String verb, AdminState done, CompletionStage<?> asked) {
        return new Wanted(verb, List.of(done), asked);
    }

    private static CompletionStage<Void> creation(Namespaces names, TopicName topic, String subscription) {
        return names.open(topic, false).thenCompose(open -> open.createSubscription(subscription, StartAt.EARLIEST));
    }

    private static CompletionStage<Void> deletion(Namespaces names, TopicName topic, String subscription) {
        return names.open(topic, false).thenCompose(open -> open.deleteSubscription(subscription, true));
    }

    private static Map<String, String> texts(int number) {
        return Map.of("a", Integer.toString(number), "b", Integer.toString(number));
    }

    /** What both say, which are set together. */
    private static int told(Map<String, String> texts) {
        String number = texts.getOrDefault("a", "0");
        if (!number.equals(texts.getOrDefault("b", "0"))) {
            throw new ModelFailure("half done: " + texts);
        }
        return Integer.parseInt(number);
    }

    private static <T> T join(CompletionStage<T> asked) {
        return asked.toCompletableFuture().join();
    }
}
