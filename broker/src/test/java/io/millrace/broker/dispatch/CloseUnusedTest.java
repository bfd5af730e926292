package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.CloseUnused;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A dispatcher that is asked to end without a consumer ends if nothing is lost with it. */
class CloseUnusedTest extends DispatchFixture {
    @Test
    void oneWithAConsumerGoesOn() throws Exception {
        open(SubscriptionType.SHARED);
        RecordingConsumer consumer = subscription.attach("c");
        assertThat(isClosed(true)).isFalse();
        subscription.publish(1);
        subscription.flow(consumer, 1);
        subscription.awaitDelivered(consumer, 1);
    }

    @Test
    void oneThatKnowsHowOftenEntriesCameBackGoesOnWhileThereIsRoom() throws Exception {
        open(SubscriptionType.SHARED);
        RecordingConsumer consumer = deliverAndDetach();
        assertThat(isClosed(false)).isFalse();
        List<Position> held =
                consumer.delivered.stream().map(each -> each.position()).toList();
        RecordingConsumer next = subscription.attach("next");
        subscription.flow(next, 10);
        subscription.awaitDelivered(next, 2);
        assertThat(next.delivered).allMatch(each -> each.redeliveryCount() == 1);
        subscription.ack(next, held.get(0), held.get(1));
        subscription.dispatcher.tell(new Detach(next));
        assertThat(isClosed(false)).as("all that came back is acknowledged").isTrue();
    }

    @Test
    void itIsForgottenWhenRoomIsShort() throws Exception {
        open(SubscriptionType.SHARED);
        deliverAndDetach();
        assertThat(isClosed(true)).isTrue();
        subscription.dispatcher = subscription.durable(subscription.settings);
        RecordingConsumer next = subscription.attach("next");
        subscription.flow(next, 10);
        subscription.awaitDelivered(next, 2);
    }

    /** Their consumers are always told that an entry never came back. */
    @Test
    void oneOfASingleConsumerEnds() throws Exception {
        open(SubscriptionType.EXCLUSIVE);
        deliverAndDetach();
        assertThat(isClosed(false)).isTrue();
    }

    @Test
    void oneThatIsBeingMovedIsMovedFirst() throws Exception {
        open(SubscriptionType.EXCLUSIVE);
        List<Position> published = subscription.publish(25);
        for (int round = 0; round < 50; round++) {
            CompletableFuture<Void> moved = new CompletableFuture<>();
            subscription.dispatcher.tell(new Seek(new SeekTarget.ToTime(1_020), moved));
            boolean isClosed = isClosed(true);
            OneSubscription.await(moved);
            if (isClosed) {
                subscription.dispatcher = subscription.durable(subscription.settings);
            }
            assertThat(subscription.stats().markDelete())
                    .isEqualTo(published.get(20).before());
        }
    }

    @Test
    void aReceiptIsWaitedFor() throws Exception {
        open(SubscriptionType.EXCLUSIVE);
        List<Position> published = subscription.publish(25);
        for (Position position : published) {
            RecordingConsumer consumer = subscription.attach("c");
            CompletableFuture<Void> receipt = subscription.acking(consumer, AckRequest.cumulative(position));
            subscription.dispatcher.tell(new Detach(consumer));
            boolean isClosed = isClosed(true);
            OneSubscription.await(receipt);
            if (isClosed) {
                subscription.dispatcher = subscription.durable(subscription.settings);
            }
            assertThat(subscription.stats().markDelete()).isEqualTo(position);
        }
    }

    /** They are read again. */
    @Test
    void whatIsDelayedOrAcknowledgedInPartIsKept() throws Exception {
        open(SubscriptionType.SHARED);
        Position batch = subscription.publishBatch(3);
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 10);
        subscription.awaitDelivered(consumer, 1);
        Position delayed = subscription.append(1, 0, subscription.nowMillis + 5_000, 0);
        subscription.awaitDurable();
        OneSubscription.until("it is delayed", () -> subscription.stats().delayedEntries() == 1);
        subscription.ackPartly(consumer, batch, 0b110);
        subscription.dispatcher.tell(new Detach(consumer));
        assertThat(isClosed(true)).isTrue();
        subscription.dispatcher = subscription.durable(subscription.settings);
        RecordingConsumer next = subscription.attach("next");
        subscription.flow(next, 10);
        OneSubscription.until("it is delayed", () -> subscription.stats().delayedEntries() == 1);
        subscription.awaitDelivered(next, 1);
        assertThat(next.delivered.get(0).ackSet()).containsExactly(0b110L);
        subscription.advance(6_000);
        subscription.awaitDelivered(next, 2);
        assertThat(next.delivered.get(1).position()).isEqualTo(delayed);
    }

    /** The log has a copy of them, which nobody counts once the dispatcher has ended. */
    @Test
    void oneWithManyPartsAcknowledgedGoesOnAndKeepsThemCounted() throws Exception {
        int batches = 100;
        open(SubscriptionType.SHARED);
        subscription.memory = new MemoryBudget(1L << 30);
        assertThat(isClosed(true)).isTrue();
        subscription.dispatcher = subscription.durable(subscription.settings);
        List<Position> published = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            published.add(subscription.publishBatch(3));
        }
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 3 * batches);
        subscription.awaitDelivered(consumer, batches);
        for (Position position : published) {
            subscription.ackPartly(consumer, position, 0b110);
        }
        subscription.dispatcher.tell(new Detach(consumer));
        assertThat(isClosed(true)).isFalse();
        assertThat(subscription.memory.heldBytes(Kind.ENTRIES)).isGreaterThan(200L * batches);
        RecordingConsumer next = subscription.attach("next");
        subscription.ack(next, published.toArray(Position[]::new));
        subscription.dispatcher.tell(new Detach(next));
        assertThat(isClosed(true)).isTrue();
    }

    private RecordingConsumer deliverAndDetach() {
        subscription.publish(2);
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 10);
        subscription.awaitDelivered(consumer, 2);
        subscription.dispatcher.tell(new Detach(consumer));
        return consumer;
    }

    private boolean isClosed(boolean isRoomShort) {
        CompletableFuture<Void> goesOn = new CompletableFuture<>();
        CompletionStage<?> ended = subscription.dispatcher.whenTerminated();
        subscription.dispatcher.tell(new CloseUnused(isRoomShort, goesOn));
        OneSubscription.until(
                "it ends or goes on",
                () -> goesOn.isDone() || ended.toCompletableFuture().isDone());
        return !goesOn.isDone();
    }
}
