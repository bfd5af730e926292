package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SkipTarget;
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
 * @param tooMuch by durable subscription, what an eviction acknowledges
 */
record BacklogExcess(BacklogQuota quota, String what, Map<String, SkipTarget> tooMuch) {
    /** Compares; null if nothing is beyond. The log answers, so this waits for no disk. */
    static CompletionStage<@Nullable BacklogExcess> of(TopicLog log, Quotas quotas, InstantSource clock) {
        return log.facts().thenCompose(facts -> {
            BacklogQuota size = quotas.size();
            BacklogExcess tooLarge = size == null ? null : tooLarge(facts, size);
            BacklogQuota age = quotas.age();
            return tooLarge != null || age == null
                    ? CompletableFuture.completedFuture(tooLarge)
                    : tooOld(log, facts, age, clock.millis());
        });
    }

    private static @Nullable BacklogExcess tooLarge(TopicFacts facts, BacklogQuota quota) {
        long largest = 0;
        Map<String, SkipTarget> tooMuch = new HashMap<>();
        for (CursorFacts cursor : facts.cursors()) {
            long bytes = cursor.backlogBytes();
            largest = Math.max(largest, bytes);
            if (bytes > quota.left()) {
                double part = 1 - (double) quota.left() / bytes;
                tooMuch.put(cursor.name(), new SkipTarget.Entries((long) Math.ceil(part * cursor.backlogEntries())));
            }
        }
        boolean isThere = facts.cursors().stream().anyMatch(cursor -> cursor.backlogEntries() > 0);
        return isThere && largest >= quota.limit()
                ? new BacklogExcess(quota, largest + " bytes, and the quota is " + quota.limit(), tooMuch)
                : null;
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

    private static Map<String, SkipTarget> upTo(List<CursorFacts> cursors, TopicLog log, Position first) {
        SkipTarget target = new SkipTarget.UpTo(Expiry.before(log, first));
        Map<String, SkipTarget> tooMuch = new HashMap<>();
        cursors.forEach(cursor -> tooMuch.put(cursor.name(), target));
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
