package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.TopicCommand.AttachProducer;
import io.millrace.broker.topic.TopicFigures.Consumed;
import io.millrace.streams.MergeHub;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The producers of a topic by name, and the rules for new ones. Owned by the topic's control stage. */
final class Producers {
    private final TopicName topic;
    private final TopicKeeping keeping;
    private final int maxProducers;
    private final String generatedPrefix;
    private final MergeHub<Publish> hub;
    private final AsyncCallback<PublishFence> fences;
    private final Materializer runtime;
    private final TopicMailbox self;
    private final Map<String, Producer> byName = new HashMap<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>(0);
    private final boolean isTerminated;
    private long topicEpoch;
    private long generatedCount;
    private boolean isThrottled;
    /** Done once those that are fenced are known to be. */
    private CompletionStage<Done> fenced = CompletableFuture.completedFuture(Done.DONE);

    /** A producer that waits to be the exclusive one, in the order of arrival. */
    private record Waiting(String name, AttachProducer wanted) {}

    Producers(TopicParts parts, TopicMailbox self, Materializer runtime) {
        this.self = self;
        this.topic = parts.name();
        this.keeping = parts.keeping();
        this.maxProducers = parts.limits().maxProducers();
        this.generatedPrefix = parts.generatedPrefix();
        this.hub = parts.running().publishes();
        fences = parts.running().appending().fences();
        this.runtime = runtime;
        this.topicEpoch = keeping.epoch();
        isTerminated = keeping.isTerminated();
    }

    /**
     * Admits a producer, which may close others, or lets it wait. Before it refuses one, or lets it wait, for
     * a single other, it asks that one whether it is alive.
     *
     * @throws BrokerException if the name, the topic or the access mode does not allow it
     */
    void attach(AttachProducer wanted, boolean rivalAsked) {
        keeping.requireWritable();
        requireUnended();
        waiting.removeIf(other -> other.wanted.reply().isDone());
        if (wanted.reply().isDone()) {
            return;
        }
        ProducerOptions options = wanted.options();
        String name = options.name() == null ? generateName() : options.name();
        Producer older = byName.get(name);
        boolean succeeds = older != null && options.succeeds(older.options());
        int others = succeeds ? byName.size() - 1 : byName.size();
        if (options.accessMode() == AccessMode.WAIT_FOR_EXCLUSIVE && others > 0) {
            requireRoom(name, waiting.size());
            waiting.add(new Waiting(name, wanted));
            wanted.link().waiting(name);
            if (byName.size() == 1 && waiting.size() == 1) {
                ask(byName.values().iterator().next(), null);
            }
            return;
        }
        int beside = options.accessMode() == AccessMode.EXCLUSIVE_WITH_FENCING ? 0 : others;
        requireRoom(name, beside);
        wanted.rules().requireProducer(topic, beside);
        requireEpoch(name, options);
        if (options.accessMode() == AccessMode.EXCLUSIVE_WITH_FENCING) {
            fenceAll(name);
        } else {
            BrokerException conflict = conflict(name, options.accessMode(), older, succeeds);
            if (conflict != null) {
                Producer rival = rivalAsked ? null : rival(options.accessMode(), older, succeeds);
                if (rival == null) {
                    throw conflict;
                }
                ask(rival, wanted);
                return;
            }
        }
        if (older != null && byName.remove(name, older)) {
            fence(older, "a newer producer " + name + " took over");
        }
        admit(name, wanted);
    }

    /** Whether what a producer has under way when it leaves is not stored: it waits for a rate, or would come behind what the next one publishes. */
    private boolean leavesNothing(Producer producer) {
        return isThrottled || producer.options().accessMode() != AccessMode.SHARED;
    }

    /**
     * Frees the name, unless another producer has it by now. What it has under way is not stored any more, if that waits for
     * a rate or would come behind what the next one publishes. When no producer is left, the first that waits gets the topic.
     */
    void remove(Producer producer) {
        boolean wasThere = byName.remove(producer.name(), producer);
        if (wasThere && leavesNothing(producer)) {
            fence(producer, new BrokerException(ErrorKind.SERVICE_NOT_READY, "producer " + producer.name() + " left"));
        }
        while (byName.isEmpty() && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            try {
                requireEpoch(next.name, next.wanted.options());
                admit(next.name, next.wanted);
            } catch (BrokerException stale) {
                next.wanted.reply().completeExceptionally(stale);
            }
        }
    }

    /** Whether there is no producer and none waits. */
    boolean isIdle() {
        return byName.isEmpty() && waiting.isEmpty();
    }

    /** Who publishes, and what; subscriptions are another's. */
    CompletableFuture<TopicFigures> figures(TopicParts.Appending appending) {
        List<Producer> each = List.copyOf(byName.values());
        int waitingCount = waiting.size();
        long epoch = topicEpoch;
        return appending
                .published(each.stream().map(Producer::counts).toList())
                .thenApply(published -> new TopicFigures(
                        figures(each, published), waitingCount, epoch, published.get(0), Consumed.NOTHING));
    }

    /** The first of what is published is that of all. */
    private static List<TopicFigures.ProducerFigures> figures(
            List<Producer> each, List<TopicFigures.Published> published) {
        List<TopicFigures.ProducerFigures> figures = new ArrayList<>(each.size());
        for (int i = 0; i < each.size(); i++) {
            Producer producer = each.get(i);
            figures.add(new TopicFigures.ProducerFigures(
                    producer.name(),
                    producer.options().accessMode(),
                    published.get(i + 1),
                    producer.link().client()));
        }
        return figures;
    }

    /** What is published waits for a rate from now on, or does not any more. */
    void throttle(boolean wanted) {
        if (wanted != isThrottled) {
            isThrottled = wanted;
            byName.values().forEach(producer -> producer.link().throttled(wanted));
        }
    }

    /** Closes all producers, also those that wait, and tells them why; others may come. False if there is none. */
    boolean leaveFor(BrokerException why) {
        boolean isAny = !isIdle();
        for (Producer producer : new ArrayList<>(byName.values())) {
            refuse(producer, why.kind(), String.valueOf(why.getMessage()), CloseReason.QUOTA);
            if (leavesNothing(producer)) {
                fence(producer, why);
            }
        }
        byName.clear();
        failWaiting(why);
        return isAny;
    }

    /** Asks every session to close its producer, and accepts no more producers. */
    void closeAll(CloseReason reason) {
        for (Producer producer : new ArrayList<>(byName.values())) {
            refuse(producer, ErrorKind.SERVICE_NOT_READY, "topic " + topic + " is closing", reason);
        }
        byName.clear();
        failWaiting(TopicMailbox.closed(topic));
        hub.drain();
    }

    private void requireRoom(String name, int others) {
        if (others >= maxProducers) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "topic " + topic + " has no room for producer " + name + ": it takes max-producers-per-topic="
                            + maxProducers);
        }
    }

    private void requireUnended() {
        if (isTerminated) {
            throw new BrokerException(
                    ErrorKind.TOPIC_TERMINATED, "topic " + topic + " was terminated: it takes no more messages");
        }
    }

    /** Refuses a producer that was exclusive before another one was. */
    private void requireEpoch(String name, ProducerOptions options) {
        long epoch = options.topicEpoch();
        if (options.accessMode() != AccessMode.SHARED
                && epoch != ProducerOptions.NO_TOPIC_EPOCH
                && epoch < topicEpoch) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_FENCED,
                    "producer " + name + " had " + topic + " in epoch " + epoch + ", and it is in epoch " + topicEpoch
                            + " by now");
        }
    }

    /** Why the attached producers exclude this one; null if they do not. */
    private @Nullable BrokerException conflict(
            String name, AccessMode mode, @Nullable Producer older, boolean succeeds) {
        if (older != null && !succeeds) {
            return new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "producer " + name + " is already connected to " + topic + ": choose another name or close it");
        }
        Producer other = anyBut(older);
        boolean isExclusive = mode != AccessMode.SHARED;
        if (other != null && (isExclusive || other.options().accessMode() != AccessMode.SHARED)) {
            return busy(name, mode, "beside " + other.options().accessMode() + " producer " + other.name());
        }
        boolean isOutOfTurn = mode != AccessMode.WAIT_FOR_EXCLUSIVE && !waiting.isEmpty();
        return isOutOfTurn ? busy(name, mode, "while producer " + waiting.element().name + " waits for it") : null;
    }

    /** The producer without which there would be a place for one that is refused; null if there would be none. */
    private @Nullable Producer rival(AccessMode mode, @Nullable Producer older, boolean succeeds) {
        boolean isAloneInTheWay = byName.size() == (succeeds ? 2 : 1);
        if (!waiting.isEmpty()) {
            return null;
        }
        if (older != null && !succeeds) {
            return mode == AccessMode.SHARED || isAloneInTheWay ? older : null;
        }
        return isAloneInTheWay ? anyBut(older) : null;
    }

    private void ask(Producer rival, @Nullable AttachProducer wanted) {
        self.tellWhenDone(
                rival.link().isAlive(),
                wanted,
                lives -> new TopicCommand.RivalAsked(wanted, rival, !Boolean.FALSE.equals(lives)));
    }

    private BrokerException busy(String name, AccessMode mode, String why) {
        return new BrokerException(
                mode == AccessMode.SHARED ? ErrorKind.PRODUCER_BUSY : ErrorKind.PRODUCER_FENCED,
                "producer " + name + " cannot join " + topic + " as " + mode + " " + why);
    }

    private void fenceAll(String name) {
        String why = "producer " + name + " has " + topic + " for itself now";
        for (Producer producer : byName.values()) {
            fence(producer, why);
        }
        byName.clear();
        failWaiting(new BrokerException(ErrorKind.PRODUCER_FENCED, why));
    }

    private void failWaiting(BrokerException failure) {
        waiting.forEach(other -> other.wanted.reply().completeExceptionally(failure));
        waiting.clear();
    }

    private void admit(String name, AttachProducer wanted) {
        if (wanted.reply().isDone()) {
            return;
        }
        ProducerOptions options = wanted.options();
        CompletionStage<Void> epochStored = CompletableFuture.completedFuture(null);
        if (options.accessMode() != AccessMode.SHARED) {
            boolean returns = options.topicEpoch() != ProducerOptions.NO_TOPIC_EPOCH;
            // A producer that was fenced off must not come back first after a restart.
            long epoch = returns ? options.topicEpoch() : topicEpoch + 1;
            epochStored = epoch == topicEpoch ? epochStored : keeping.keepEpoch(epoch);
            topicEpoch = epoch;
        }
        Outbox outbox = new Outbox(wanted.link(), new PublishCounts());
        Producer.Running running = new Producer.Running(start(name, outbox), outbox);
        Producer producer = new Producer(name, options, wanted.link(), running, topicEpoch);
        byName.put(name, producer);
        if (isThrottled) {
            wanted.link().throttled(true);
        }
        ProducerHandle handle = new ProducerHandle(producer, self, keeping::requireWritable);
        epochStored.thenCombine(fenced, (stored, done) -> done).whenComplete((done, failure) -> {
            boolean answered = failure == null
                    ? wanted.reply().complete(handle)
                    : wanted.reply().completeExceptionally(LogRefusal.of("the epoch of topic " + topic, failure));
            if (!answered || failure != null) {
                handle.close();
            }
        });
    }

    /** One of the others is enough to look at: an exclusive one is alone. */
    private @Nullable Producer anyBut(@Nullable Producer older) {
        for (Producer producer : byName.values()) {
            if (producer != older) {
                return producer;
            }
        }
        return null;
    }

    private StageActorRef<ProducerCommand> start(String name, Outbox outbox) {
        return Source.fromGraph(new ProducerStage(name, outbox))
                .to(hub.sink())
                .withAttributes(outbox.link.place())
                .named(topic + " producer " + name)
                .run(runtime);
    }

    private void fence(Producer producer, String why) {
        refuse(producer, ErrorKind.PRODUCER_FENCED, why, CloseReason.FENCED);
        fence(producer, new BrokerException(ErrorKind.PRODUCER_FENCED, why));
    }

    /** Who comes next is admitted once nothing more of this one is stored. */
    private void fence(Producer producer, BrokerException refusal) {
        fenced = fences.invokeWithFeedback(new PublishFence(producer.outbox(), refusal))
                .exceptionally(stopped -> Done.DONE);
    }

    private static void refuse(Producer producer, ErrorKind kind, String why, CloseReason reason) {
        producer.stage().tell(new ProducerCommand.Refuse(new BrokerException(kind, why)));
        producer.link().closed(reason);
    }

    private String generateName() {
        generatedCount++;
        return generatedPrefix + generatedCount;
    }
}
