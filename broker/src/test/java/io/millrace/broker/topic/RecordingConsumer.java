package io.millrace.broker.topic;

import io.millrace.broker.dispatch.AckRequest;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A consumer's session that writes down what it is sent. */
final class RecordingConsumer implements ConsumerLink {
    /** What was sent. */
    record Delivered(Position position, String text, int redeliveryCount) {}

    private final BlockingQueue<Delivered> deliveries = new LinkedBlockingQueue<>();
    private final BlockingQueue<CloseReason> closes = new LinkedBlockingQueue<>();
    private volatile @Nullable SubscriptionHandle handle;

    static RecordingConsumer subscribedTo(Topic topic, String subscription, SubscriptionType type, StartAt start)
            throws Exception {
        return subscribed(topic, subscription, true, type, start);
    }

    static RecordingConsumer subscribed(
            Topic topic, String subscription, boolean durable, SubscriptionType type, StartAt start) throws Exception {
        RecordingConsumer link = attached(topic, subscription, durable, type, start);
        link.tell(new DispatcherCommand.Flow(link, 1_000));
        return link;
    }

    /** One of a durable subscription that has not asked for messages yet. */
    static RecordingConsumer silent(Topic topic, String subscription, SubscriptionType type, StartAt start)
            throws Exception {
        return attached(topic, subscription, true, type, start);
    }

    private static RecordingConsumer attached(
            Topic topic, String subscription, boolean durable, SubscriptionType type, StartAt start) throws Exception {
        RecordingConsumer link = new RecordingConsumer();
        SubscribeRequest request =
                SubscribeRequests.of(subscription, durable, start, link, ConsumerOptions.of(1, "consumer", type));
        link.handle = topic.subscribe(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
        return link;
    }

    void tell(DispatcherCommand command) {
        handle().tell(command);
    }

    SubscriptionHandle handle() {
        SubscriptionHandle attached = handle;
        if (attached == null) {
            throw new IllegalStateException("not attached");
        }
        return attached;
    }

    Delivered next() throws InterruptedException {
        Delivered delivered = deliveries.poll(10, TimeUnit.SECONDS);
        if (delivered == null) {
            throw new AssertionError("nothing delivered within 10 s");
        }
        return delivered;
    }

    boolean hasNothing() {
        return deliveries.isEmpty();
    }

    CloseReason nextClose() throws InterruptedException {
        CloseReason reason = closes.poll(10, TimeUnit.SECONDS);
        if (reason == null) {
            throw new AssertionError("not closed within 10 s");
        }
        return reason;
    }

    void ack(Position position) throws Exception {
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        tell(new DispatcherCommand.Ack(this, AckRequest.individual(List.of(position)), receipt));
        receipt.get(10, TimeUnit.SECONDS);
    }

    void detach() {
        tell(new DispatcherCommand.Detach(this));
    }

    void unsubscribe() throws Exception {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        tell(new DispatcherCommand.Unsubscribe(this, false, reply));
        reply.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
        deliveries.add(new Delivered(entry.position(), entry.data().toString(StandardCharsets.UTF_8), redeliveryCount));
        entry.release();
    }

    @Override
    public void flush() {}

    @Override
    public void activeChanged(boolean active) {}

    @Override
    public void closed(CloseReason reason) {
        closes.add(reason);
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public String describe() {
        return "recording consumer";
    }
}
