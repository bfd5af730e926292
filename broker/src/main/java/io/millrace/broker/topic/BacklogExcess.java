package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.log.TopicFacts.CursorFacts;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.topic.AppliedPolicies.Quotas;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What of a topic's backlog is beyond a quota of it.
 *
 * @param what exceeds it, for people
 * @param tooMuch by durable subscription, up to where an eviction acknowledges
 */
record BacklogExcess(BacklogQuota quota, String what, Map<String, Position> tooMuch) {
    /** Compares; null if nothing is beyond. The log answers, so this waits for no disk. */
    static CompletionStage<@Nullable BacklogExcess> of(TopicLog log, Quotas quotas, InstantSource clock) {
        return log.facts().thenCompose(facts -> {
            BacklogQuota size = quotas.size();
            if (size != null && isTooLarge(facts, size)) {
                return tooLarge(log, facts, size);
            }
            BacklogQuota age = quotas.age();
            return age == null ? CompletableFuture.completedFuture(null) : tooOld(log, facts, age, clock.millis());
        });
    }

    private static boolean isTooLarge(TopicFacts facts, BacklogQuota quota) {
        return facts.cursors().stream().anyMatch(cursor -> cursor.backlogEntries() > 0)
                && largest(facts) >= quota.limit();
    }

    private static long largest(TopicFacts facts) {
        return facts.cursors().stream()
                .mapToLong(CursorFacts::backlogBytes)
                .max()
                .orElse(0);
    }

    private static CompletionStage<@Nullable BacklogExcess> tooLarge(
            TopicLog log, TopicFacts facts, BacklogQuota quota) {
        Map<String, Long> tooMany = new HashMap<>();
        for (CursorFacts cursor : facts.cursors()) {
            long bytes = cursor.backlogBytes();
            if (bytes > quota.left()) {
                double part = 1 - (double) quota.left() / bytes;
                tooMany.put(cursor.name(), (long) Math.ceil(part * cursor.backlogEntries()));
            }
        }
        String what = largest(facts) + " bytes, and the quota is " + quota.limit();
        return log.unacked(tooMany).thenApply(last -> new BacklogExcess(quota, what, last));
    }

    /** By when the client of the eldest message published it. */
    private static CompletionStage<@Nullable BacklogExcess> tooOld(
            TopicLog log, TopicFacts facts, BacklogQuota quota, long nowMillis) {
        List<CursorFacts> behind = facts.cursors().stream()
                .filter(cursor -> cursor.backlogEntries() > 0)
                .toList();
        Position slowest = behind.stream()
                .map(CursorFacts::markDelete)
                .min(Comparator.naturalOrder())
                .orElse(null);
        if (slowest == null || quota.limit() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return log.read(log.next(slowest), 1, 1).thenCompose(found -> {
            long published = found.isEmpty() ? nowMillis : found.get(0).header().publishTimeMillis();
            found.forEach(Entry::release);
            long seconds = (nowMillis - published) / 1_000;
            if (seconds <= quota.limit()) {
                return CompletableFuture.completedFuture(null);
            }
            String what = seconds + " s, and the quota is " + quota.limit();
            return log.findByTime(nowMillis - quota.leftMillis())
                    .thenApply(first -> new BacklogExcess(quota, what, upTo(behind, log, first)));
        });
    }

    private static Map<String, Position> upTo(List<CursorFacts> cursors, TopicLog log, Position first) {
        Position last = Expiry.before(log, first);
        Map<String, Position> tooMuch = new HashMap<>();
        cursors.forEach(cursor -> tooMuch.put(cursor.name(), last));
        return tooMuch;
    }

    /** What a producer is told. */
    BrokerException refusal(TopicName topic) {
        return new BrokerException(
                quota.action() == BacklogQuota.Action.PRODUCER_EXCEPTION
                        ? ErrorKind.QUOTA_EXCEEDED
                        : ErrorKind.QUOTA_HELD,
                "Cannot create producer on topic with backlog quota exceeded: the backlog of " + topic + " is " + what);
    }
}
