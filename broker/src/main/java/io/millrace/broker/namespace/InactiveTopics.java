package io.millrace.broker.namespace;

import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.topic.TopicFigures;
import io.millrace.broker.topic.TopicName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes topics that nobody has used for a while, where a policy says so, with what they hold. Partitions stay: they go with their
 * topic. It is counted from when one is first seen to be inactive, in this run of the broker, and anew once a client has opened it
 * since. Owned by the namespace stage.
 */
final class InactiveTopics {
    /** The key of the policy: which topics are inactive, after how many seconds they go, and true if they do, with commas between. */
    static final String KEY = "inactive-topics";

    private static final Logger LOG = LoggerFactory.getLogger(InactiveTopics.class);

    private final TopicVerbs topics;
    private final Shared shared;
    private final Island island;
    private final Retentions retentions;
    private final Map<TopicName, Long> sinceNanos = new HashMap<>();

    InactiveTopics(TopicVerbs topics, Shared shared, Island island, Retentions retentions) {
        this.topics = topics;
        this.shared = shared;
        this.island = island;
        this.retentions = retentions;
    }

    /**
     * The policy as it is stored.
     *
     * @param withSubscriptions whether a topic counts as inactive whose subscriptions have acknowledged everything
     * @param isOn whether topics are deleted at all
     */
    record Policy(boolean withSubscriptions, long seconds, boolean isOn) {
        private static final int PARTS = 3;
        private static final String NONE = "delete_when_no_subscriptions";
        private static final String CAUGHT_UP = "delete_when_subscriptions_caught_up";
        private static final Pattern WORDS =
                Pattern.compile("(null|" + NONE + "|" + CAUGHT_UP + "),[^,]*,(true|false)");

        /** The one of these policies; a text that is not of three parts, one a number, is an IllegalArgumentException. */
        static Policy of(Map<String, String> policies) {
            String text = policies.get(KEY);
            if (text == null) {
                return new Policy(false, 0, false);
            }
            String[] parts = text.split(",", -1);
            if (parts.length != PARTS) {
                throw refusal(text);
            }
            return new Policy(parts[0].equals(CAUGHT_UP), TopicPolicies.seconds(parts[1]), parts[2].equals("true"));
        }

        /** Refuses one whose words mean nothing, too. */
        static void requireValid(Map<String, String> policies) {
            Policy unused = of(policies);
            String text = policies.get(KEY);
            if (text != null && !WORDS.matcher(text).matches()) {
                throw refusal(text);
            }
        }

        private static IllegalArgumentException refusal(String text) {
            return new IllegalArgumentException(KEY + " is '" + text + "', but must be " + NONE + " or " + CAUGHT_UP
                    + ", a number of seconds, and true or false, with commas between");
        }
    }

    /** Only these have such a policy: others that were seen are forgotten. */
    void keepOnly(Set<TopicName> names) {
        sinceNanos.keySet().retainAll(names);
        topics.uses().keepOnly(names);
    }

    /** Looks at one; done when it is known to stay, or is deleted. */
    CompletionStage<Void> check(TopicName name) {
        Policy policy = Policy.of(topics.policies().texts(name));
        if (!policy.isOn || name.isPartition()) {
            sinceNanos.remove(name);
            return CompletableFuture.completedFuture(null);
        }
        return island.home(isUsed(name))
                .thenCombine(island.home(shared.log().facts(List.of(name.full()))), (isUsed, facts) -> {
                    boolean isUnused = !topics.uses().take(name) && !isUsed;
                    boolean isInactive = isUnused && facts.stream().allMatch(each -> isDone(each, policy));
                    if (!isInactive) {
                        sinceNanos.remove(name);
                    }
                    return isInactive && isOver(name, policy);
                })
                .thenCompose(isOver -> isOver ? delete(name) : CompletableFuture.completedFuture(null));
    }

    private CompletionStage<Boolean> isUsed(TopicName name) {
        return shared.topics()
                .find(List.of(name))
                .thenCompose(open -> open.containsKey(name)
                        ? open.get(name).figures().thenApply(InactiveTopics::hasClients)
                        : CompletableFuture.completedFuture(false));
    }

    private static boolean hasClients(TopicFigures figures) {
        return !figures.producers().isEmpty()
                || figures.waitingProducers() > 0
                || figures.subscriptions().stream()
                        .anyMatch(each -> !each.stats().consumers().isEmpty());
    }

    private static boolean isDone(TopicFacts facts, Policy policy) {
        return policy.withSubscriptions
                ? facts.cursors().stream().allMatch(cursor -> cursor.backlogEntries() == 0)
                : facts.cursors().isEmpty();
    }

    /** Whether an inactive one has been so for long enough; its messages may have to be retained for longer. */
    private boolean isOver(TopicName name, Policy policy) {
        long now = island.nanoTime();
        long since = sinceNanos.computeIfAbsent(name, unknown -> now);
        Kept kept = retentions.of(name);
        long retainedMillis = kept.millis() < 0 ? Long.MAX_VALUE : kept.millis();
        return Duration.ofNanos(now - since).toMillis() >= Math.max(policy.seconds * 1_000, retainedMillis);
    }

    /** Unless somebody has come meanwhile. */
    private CompletionStage<Void> delete(TopicName name) {
        return topics.delete(name, false).thenAccept(deleted -> {
            sinceNanos.remove(name);
            LOG.info("topic {} is deleted: nobody has used it for as long as its policy allows", name);
        });
    }
}
