package io.millrace.broker.topic;

import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.graph.Done;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An open topic. Thread-safe; every request is answered later, by a stage of the topic, and fails with a
 * {@link io.millrace.broker.dispatch.BrokerException}.
 */
public final class Topic {
    private final TopicName name;
    private final @Nullable TopicLog log;
    private final TopicStage.Running control;

    Topic(TopicName name, @Nullable TopicLog log, TopicStage.Running control) {
        this.name = name;
        this.log = log;
        this.control = control;
    }

    public TopicName name() {
        return name;
    }

    /** Admits a producer; its link is told the outcome of every publish made through the handle. */
    public CompletionStage<ProducerHandle> attach(ProducerLink link, ProducerOptions options) {
        return control.mailbox().ask(reply -> new TopicCommand.AttachProducer(link, options, reply));
    }

    /**
     * The same with the caller's own reply. The caller may fail it to withdraw the request, for example of a producer
     * that waits: no producer is attached then.
     */
    public void attach(ProducerLink link, ProducerOptions options, CompletableFuture<ProducerHandle> reply) {
        control.mailbox().tell(new TopicCommand.AttachProducer(link, options, reply), reply);
    }

    /** Attaches a consumer to a subscription, which is created on first use. */
    public CompletionStage<SubscriptionHandle> subscribe(SubscribeRequest request) {
        return control.mailbox().ask(reply -> new TopicCommand.Subscribe(request, reply));
    }

    /** Creates a durable subscription of that name, without a consumer; an existing one stays as it is. */
    public CompletionStage<Void> createSubscription(String subscription, StartAt start) {
        return control.mailbox().ask(reply -> new TopicCommand.CreateSubscription(subscription, start, reply));
    }

    /** The subscriptions that are in use, by consumers or until a while ago. */
    public CompletionStage<List<SubscriptionSnapshot>> subscriptions() {
        return control.mailbox().ask(TopicCommand.SubscriptionsInUse::new);
    }

    /** Whether it has no producer, no consumer but those that take any schema, and no messages. */
    public CompletionStage<Boolean> isUnused() {
        return log == null || isEmpty(log)
                ? control.mailbox().ask(TopicCommand.IsUnused::new)
                : CompletableFuture.completedFuture(false);
    }

    private static boolean isEmpty(TopicLog log) {
        return log.lastEntryOf(log.lastDurable().ledgerId()) < 0;
    }

    /** The last entry that is durable and kept; a topic that stores nothing has none. */
    public CompletionStage<LastMessage> lastMessage() {
        if (log == null) {
            return CompletableFuture.completedFuture(LastMessage.NONE);
        }
        Position last = log.lastDurable();
        if (log.lastEntryOf(last.ledgerId()) < 0) {
            return CompletableFuture.completedFuture(LastMessage.NONE);
        }
        Entry cached = log.cached(last);
        if (cached != null) {
            return CompletableFuture.completedFuture(described(last, List.of(cached)));
        }
        return log.read(last, 1, 1).thenApply(entries -> described(last, entries));
    }

    /** Closes it: accepted publishes and acknowledgements get their receipts first. */
    public CompletionStage<Void> close() {
        return control.mailbox().<Void>ask(TopicCommand.Close::new).exceptionally(alreadyClosed -> null);
    }

    TopicMailbox mailbox() {
        return control.mailbox();
    }

    /** Null if it stores nothing. */
    @Nullable
    TopicLog log() {
        return log;
    }

    /** Completes when the topic is closed, by request or by a failure. */
    CompletionStage<Done> stopped() {
        return control.stopped();
    }

    private static LastMessage described(Position last, List<Entry> entries) {
        LastMessage found = LastMessage.NONE;
        for (Entry entry : entries) {
            if (entry.position().equals(last)) {
                found = new LastMessage(last, entry.header().lastBatchIndex());
            }
            entry.release();
        }
        return found;
    }
}
