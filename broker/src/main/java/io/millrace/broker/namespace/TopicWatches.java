package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Tells watchers which topics are made and deleted. Watchers of the same pattern share one list, and changes that come
 * close together are told together. Owned by the namespace stage.
 */
final class TopicWatches {
    /** How long changes are gathered. */
    private static final Duration GATHERED = Duration.ofMillis(10);
    /** So many times as long as it took to tell changes, the next ones are gathered: others need the island, too. */
    private static final int REST = 10;
    /** But no longer, as a consumer is to hear of a topic within 100 ms. */
    private static final Duration MAX_REST = Duration.ofMillis(80);

    private final TopicListings listings;
    private final Shared shared;
    private final Island island;
    private final Map<Watched, WatchedList> lists = new HashMap<>();
    private final Map<Watched, CompletableFuture<Void>> listing = new HashMap<>();
    private boolean isTelling;
    /** Until when nothing is told: each list is hashed as a whole for that. */
    private long restUntilNanos;

    TopicWatches(TopicListings listings, Shared shared, Island island) {
        this.listings = listings;
        this.shared = shared;
        this.island = island;
        restUntilNanos = island.nanoTime();
    }

    private record Watched(NamespaceName namespace, String pattern) {}

    /**
     * Begins to watch; the list as it is now, after which the watcher hears of every change.
     *
     * @throws BrokerException if the pattern is not one that is matched here
     */
    CompletionStage<TopicList> start(NamespaceName namespace, String text, TopicWatcher watcher) {
        Watched watched = new Watched(namespace, text);
        WatchedList known = lists.get(watched);
        WatchedList list = known == null ? begin(watched) : known;
        list.add(watcher);
        CompletableFuture<Void> listed = listing.get(watched);
        CompletionStage<Void> ready = listed == null ? CompletableFuture.completedFuture(null) : listed;
        return ready.thenApply(done -> list.current());
    }

    private WatchedList begin(Watched watched) {
        TopicPattern pattern = TopicPattern.of(watched.pattern);
        if (pattern == null) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Unable to create topic list watcher: the pattern is too large, or not one of RE2: list the topics"
                            + " instead");
        }
        WatchedList list = new WatchedList(pattern, shared.memory());
        CompletableFuture<Void> listed = new CompletableFuture<>();
        lists.put(watched, list);
        listing.put(watched, listed);
        TopicListing asked = new TopicListing(watched.namespace, TopicName.Domain.PERSISTENT, watched.pattern);
        listings.list(asked, List.of(), pattern).whenComplete((found, failure) -> {
            listing.remove(watched);
            if (failure == null && list.listed(found.names())) {
                listed.complete(null);
                endIfDeserted(watched, list);
            } else {
                lists.remove(watched, list);
                listed.completeExceptionally(failure == null ? noMemory() : failure);
            }
        });
        return list;
    }

    private BrokerException noMemory() {
        return new BrokerException(ErrorKind.TOO_MANY_REQUESTS, shared.memory().refusal(MemoryBudget.Kind.CONSUMERS));
    }

    /** The list as it is now, of somebody who watches it. */
    TopicList current(NamespaceName namespace, String text) {
        WatchedList list = lists.get(new Watched(namespace, text));
        if (list == null) {
            throw new BrokerException(ErrorKind.SERVICE_NOT_READY, "the topics are not watched: watch them again");
        }
        return list.current();
    }

    void stop(NamespaceName namespace, String text, TopicWatcher watcher) {
        Watched watched = new Watched(namespace, text);
        WatchedList list = lists.get(watched);
        if (list != null) {
            list.remove(watcher);
            endIfDeserted(watched, list);
        }
    }

    /** One that is being listed goes when it is. */
    private void endIfDeserted(Watched watched, WatchedList list) {
        if (list.isDeserted() && !listing.containsKey(watched)) {
            lists.remove(watched);
            list.close();
        }
    }

    /** A topic is there, or not, durably. */
    void changed(String topic, boolean isThere) {
        boolean isToTell = false;
        for (Map.Entry<Watched, WatchedList> list : lists.entrySet()) {
            String prefix = list.getKey().namespace.topicPrefix(TopicName.Domain.PERSISTENT);
            isToTell |= topic.startsWith(prefix) && list.getValue().changed(topic, isThere);
        }
        if (isToTell && !isTelling) {
            isTelling = true;
            long restNanos = Math.max(GATHERED.toNanos(), restUntilNanos - island.nanoTime());
            island.after(Duration.ofNanos(restNanos), this::tell);
        }
    }

    private void tell() {
        isTelling = false;
        long beganNanos = island.nanoTime();
        lists.values().forEach(WatchedList::tell);
        long endedNanos = island.nanoTime();
        restUntilNanos = endedNanos + Math.min(MAX_REST.toNanos(), REST * (endedNanos - beganNanos));
    }
}
