package io.millrace.broker.namespace;

import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Does from time to time what policies ask for: compares backlogs of open topics with their quotas, expires messages, also of
 * topics that nobody uses, has the log delete what need not be retained, and
 * deletes topics that nobody uses. While no such policy is set it does nothing but look for one. Owned by the namespace stage.
 */
final class Upkeep {
    /** Of how many topics messages are expired at a time: each is opened, unless nothing of it is left to acknowledge. */
    private static final int EXPIRED_AT_ONCE = 8;

    private final NameTable table;
    private final TopicVerbs topics;
    private final Shared shared;
    private final Island island;
    private final InactiveTopics inactive;
    private final PolicySettings settings;

    Upkeep(NameTable table, TopicVerbs topics, Shared shared, Island island) {
        this.table = table;
        this.topics = topics;
        this.shared = shared;
        this.island = island;
        inactive = new InactiveTopics(topics, shared, island, table.retentions);
        settings = shared.settings().policies();
    }

    void start() {
        island.after(Duration.ofSeconds(settings.quotaCheckSeconds()), this::checkQuotas);
        island.after(Duration.ofSeconds(settings.expiryCheckSeconds()), this::expire);
        island.after(Duration.ofSeconds(settings.retentionCheckSeconds()), this::trim);
        island.after(Duration.ofSeconds(settings.inactiveCheckSeconds()), this::deleteInactive);
    }

    private void checkQuotas() {
        Where where = Where.of(table, AppliedPolicies.SIZE_QUOTA, AppliedPolicies.AGE_QUOTA);
        if (!where.isNowhere()) {
            var unused = topics.open().forEach(where.namespaces, where.topics, Topic::checkBacklog);
        }
        island.after(Duration.ofSeconds(settings.quotaCheckSeconds()), this::checkQuotas);
    }

    /** As time goes by; after a change of the policies the log does so at once. */
    private void trim() {
        if (!table.retentions.isEmpty()) {
            shared.log().trim();
        }
        island.after(Duration.ofSeconds(settings.retentionCheckSeconds()), this::trim);
    }

    private void expire() {
        boolean everywhere = settings.messageTtlSeconds() > 0;
        Queue<String> due = stored(Where.of(table, PolicySettings.MESSAGE_TTL), everywhere);
        new Round(due, this::expire, island)
                .run(
                        EXPIRED_AT_ONCE,
                        () -> island.after(Duration.ofSeconds(settings.expiryCheckSeconds()), this::expire));
    }

    private void deleteInactive() {
        Queue<String> due = stored(Where.of(table, InactiveTopics.KEY), false);
        inactive.keepOnly(due.stream().map(TopicName::parse).collect(Collectors.toSet()));
        new Round(due, inactive::check, island)
                .run(1, () -> island.after(Duration.ofSeconds(settings.inactiveCheckSeconds()), this::deleteInactive));
    }

    /** The names of the stored topics that policies are set for. */
    private Queue<String> stored(Where where, boolean everywhere) {
        if (!everywhere && where.isNowhere()) {
            return new ArrayDeque<>(0);
        }
        Predicate<String> wanted = everywhere ? name -> true : where.holds();
        return new ArrayDeque<>(shared.log().topicNames(name -> isTopic(name) && wanted.test(name)));
    }

    private CompletionStage<Void> expire(TopicName name) {
        long seconds = ttlSeconds(topics.policies().texts(name));
        if (seconds == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return island.home(shared.log().facts(List.of(name.full()))).thenCompose(facts -> {
            if (facts.stream().noneMatch(Upkeep::hasBacklog)) {
                return CompletableFuture.completedFuture(null);
            }
            long before = System.currentTimeMillis() - seconds * 1_000;
            return topics.openForUpkeep(name).thenCompose(topic -> topic.expire(before));
        });
    }

    /** One that is open may have subscriptions that the log does not know. */
    private static boolean hasBacklog(TopicFacts facts) {
        return facts.use().isOpen() || facts.cursors().stream().anyMatch(cursor -> cursor.backlogEntries() > 0);
    }

    private long ttlSeconds(Map<String, String> policies) {
        String text = policies.get(PolicySettings.MESSAGE_TTL);
        return text == null ? settings.messageTtlSeconds() : TopicPolicies.seconds(text);
    }

    private static boolean isTopic(String name) {
        return name.startsWith(TopicName.Domain.PERSISTENT.scheme());
    }

    /** Where policies are set. */
    record Where(Collection<NamespaceName> namespaces, Collection<TopicName> topics) {
        static Where of(NameTable table, String... keys) {
            List<String> wanted = List.of(keys);
            Set<NamespaceName> namespaces = new HashSet<>();
            table.namespaces.forEach((name, policies) -> {
                if (wanted.stream().anyMatch(policies::containsKey)) {
                    namespaces.add(name);
                }
            });
            return new Where(namespaces, table.topicsWithAny(wanted));
        }

        boolean isNowhere() {
            return namespaces.isEmpty() && topics.isEmpty();
        }

        /** Whether it applies to a topic of that full name; for many of them, so none is parsed. */
        Predicate<String> holds() {
            Set<String> spaces =
                    namespaces.stream().map(NamespaceName::toString).collect(Collectors.toSet());
            Set<String> wholes = topics.stream().map(TopicName::full).collect(Collectors.toSet());
            return topic -> spaces.contains(TopicName.namespaceOf(topic)) || wholes.contains(TopicName.wholeOf(topic));
        }
    }
}
