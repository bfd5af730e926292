package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a subscription holds for entries, where there is little memory for them. */
@Timeout(60)
class EntryMemoryTest extends DispatchFixture {
    private static final int MANY = 3_000;
    private static final int MESSAGES = 10;
    /** A few entries and parts of tables are not counted. */
    private static final int FEW_BYTES = 2_000;

    private final MemoryBudget memory = new MemoryBudget(1 << 20);
    private RecordingConsumer consumer;

    @BeforeEach
    void start() throws IOException {
        subscription = new OneSubscription(
                LogConfig.defaults(folder), SubscriptionSettings.durable("unused", SubscriptionType.SHARED));
        subscription.memory = memory;
        consumer = begin("small");
    }

    @Test
    @Behaviour("PRO-14")
    void delayedEntriesWaitInTheLogWhileMemoryIsShortAndAllComeInTheEnd() {
        subscription.flow(consumer, MANY);
        publishDelayed(MANY);
        OneSubscription.until("memory is short", () -> memory.isShort(Kind.ENTRIES));
        long delayed = subscription.stats().delayedEntries();
        // A turn takes up to a thousand entries before it looks at the memory again.
        assertThat(delayed).isBetween((long) EntryMemory.ALWAYS_KEPT, (long) MANY * 2 / 3);
        subscription.advance(0);
        assertThat(subscription.stats().delayedEntries())
                .as("after another turn")
                .isEqualTo(delayed);
        subscription.checkInvariants();
        subscription.advance(MANY * DelayedEntries.TICK_MILLIS);
        subscription.awaitDelivered(consumer, MANY);
        subscription.ack(consumer, consumer.positions().toArray(Position[]::new));
        OneSubscription.until("all is given back", () -> memory.heldBytes() == 0);
    }

    @Test
    @Behaviour("PRO-14")
    void partsOfBatchesAreRefusedWhileMemoryIsShortAndWholeOnesAreNot() {
        List<Position> batches = publishBatches(MANY);
        Position refused = ackPartlyUntilRefused(batches);
        assertThat(memory.isShort(Kind.ENTRIES)).isTrue();
        subscription.ackPartly(consumer, batches.get(0), 0b1);
        subscription.ack(consumer, refused);
        subscription.ack(consumer, batches.toArray(Position[]::new));
        OneSubscription.until("all is given back", () -> memory.heldBytes() == 0);
        Position later = publishBatches(1).get(0);
        subscription.ackPartly(consumer, later, 0b1);
    }

    @Test
    @Behaviour("PRO-14")
    void longAckSetsWeighMoreThanTheirNumber() {
        long[] set = new long[100];
        Arrays.fill(set, -1);
        List<Position> batches = new ArrayList<>();
        for (int i = 0; i < MANY / 10; i++) {
            batches.add(subscription.append(set.length * Long.SIZE));
        }
        subscription.awaitDurable();
        int kept = 0;
        while (kept < batches.size() && failureOf(acking(batches.get(kept), set)) == null) {
            kept++;
        }
        assertThat(kept).as("ack sets of 800 bytes, each kept twice").isBetween(10, 200);
    }

    @Test
    @Behaviour("PRO-14")
    void aSubscriptionWithFewEntriesGetsOnWhateverOthersHold() {
        subscription.flow(consumer, MANY);
        publishDelayed(MANY);
        OneSubscription.until("memory is short", () -> memory.isShort(Kind.ENTRIES));
        RecordingConsumer other = begin("other");
        subscription.flow(other, EntryMemory.ALWAYS_KEPT / 2);
        subscription.advance(MANY * DelayedEntries.TICK_MILLIS);
        subscription.awaitDelivered(other, EntryMemory.ALWAYS_KEPT / 2);
    }

    @Test
    @Behaviour("PRO-14")
    void aSubscriptionThatEndsGivesItsBytesBack() {
        ackPartlyUntilRefused(publishBatches(MANY));
        assertThat(memory.heldBytes()).isPositive();
        subscription.<Void>ask(Close::new);
        OneSubscription.until("all is given back", () -> memory.heldBytes() == 0);
    }

    @Test
    @Behaviour("PRO-14")
    void whatIsCountedCoversEntriesThatComeBackAndAreSentAgain() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int count = 1; count <= 100_000; count *= 10) {
            Tables tables = new Tables();
            for (int i = 0; i < count; i++) {
                tables.pending.add(1, i, 0, 1, random.nextInt(KeyRanges.HASHES));
            }
            tables.counted.update();
            long counted = tables.budget.heldBytes();
            long atMost = counted + counted / 8 + FEW_BYTES;
            tables.pending.forEachAndClear(
                    0, (ledger, entry, slot, left, hash) -> tables.waiting.add(ledger, entry, hash));
            assertThat(tables.grownBytes()).as(count + " wait, seed " + seed).isLessThanOrEqualTo(atMost);
            tables.counted.update();
            assertThat(tables.budget.heldBytes()).isLessThanOrEqualTo(atMost);
            for (int i = 0; i < count; i++) {
                tables.waiting.sent(1, i);
                tables.pending.add(1, i, 0, 1, 0);
            }
            assertThat(tables.grownBytes()).as(count + " are sent again").isLessThanOrEqualTo(atMost);
        }
    }

    @Test
    @Behaviour("PRO-14")
    void whatComesUntilItIsCountedAgainIsCountedBefore() {
        Tables tables = new Tables();
        for (int i = 0; i < 100_000; i++) {
            tables.delayed.add(1, i, 0, i * DelayedEntries.TICK_MILLIS);
            tables.counted.update();
            assertThat(tables.delayed.heapBytes()).isLessThanOrEqualTo(tables.budget.heldBytes() + FEW_BYTES);
        }
    }

    @Test
    @Behaviour("PRO-14")
    void delayedEntriesThatAreGoneTakeNothing() {
        Random random = new Random(1);
        DelayedEntries delayed = new DelayedEntries();
        long emptyBytes = delayed.heapBytes();
        for (int i = 0; i < MANY; i++) {
            delayed.add(1, i, 0, random.nextInt(MANY / 3) * DelayedEntries.TICK_MILLIS);
            delayed.forget(1, random.nextInt(2 * i + 1));
        }
        delayed.release(MANY * DelayedEntries.TICK_MILLIS, (ledger, entry, key) -> {});
        assertThat(delayed.heapBytes()).isEqualTo(emptyBytes);
    }

    @Test
    @Behaviour("PRO-14")
    void entriesFarApartThatNobodyWasSentAreNotAcknowledgedWhileMemoryIsShort() throws IOException {
        subscription.close();
        subscription = new OneSubscription(
                LogConfig.defaults(folder.resolve("apart")).withLedgers(1 << 20, 2),
                SubscriptionSettings.durable("unused", SubscriptionType.SHARED));
        subscription.memory = memory;
        consumer = begin("small");
        List<Position> published = subscription.publish(MANY);
        int next = 3;
        BrokerException refusal = null;
        while (refusal == null) {
            refusal = failureOf(subscription.acking(consumer, AckRequest.individual(List.of(published.get(next)))));
            next += 4;
        }
        assertThat(next).as("entries of other ledgers").isBetween(100, MANY);
        assertThat(refusal.kind()).isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
        subscription.flow(consumer, 10);
        subscription.awaitDelivered(consumer, 10);
        for (int i = 9; i >= 0; i--) {
            subscription.ack(consumer, consumer.positions().get(i));
        }
        subscription.<Void>ask(Close::new);
        OneSubscription.until("all is given back", () -> memory.heldBytes() == 0);
    }

    @Test
    @Behaviour("PRO-14")
    void aTurnThatTakesAllThatThereIsRoomForIsFollowedByAnother() {
        for (int i = 0; i < 5 * MANY; i++) {
            subscription.append(1);
        }
        subscription.awaitDurable();
        subscription.flow(consumer, 5 * MANY);
        OneSubscription.until("memory is short", () -> memory.isShort(Kind.ENTRIES));
        assertThat(consumer.delivered).hasSizeLessThan(5 * MANY);
    }

    @Test
    @Behaviour("PRO-14")
    void theLastEntriesAreGivenBackThoughTheyAreFew() {
        Tables tables = new Tables();
        for (int i = 0; i < 32; i++) {
            tables.pending.add(1, i, 0, 1, 0);
        }
        tables.counted.update();
        tables.pending.removeAllUpTo(1, 16, (ledger, entry, slot, remaining, hash) -> {});
        tables.counted.update();
        assertThat(tables.budget.heldBytes()).isPositive();
        tables.pending.removeAllUpTo(1, 31, (ledger, entry, slot, remaining, hash) -> {});
        tables.counted.update();
        assertThat(tables.budget.heldBytes()).isZero();
    }

    /** It may be a reader, which never does: what it was sent is read again for the next one. */
    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "FAILOVER"})
    @Behaviour({"PRO-14", "ACK-6"})
    void aSingleConsumerThatNeverAcknowledgesGetsOnWhileMemoryIsShort(SubscriptionType type) throws IOException {
        subscription.close();
        subscription = new OneSubscription(
                LogConfig.defaults(folder.resolve("single")), SubscriptionSettings.durable("unused", type));
        subscription.memory = memory;
        subscription.dispatcher = subscription.durable(SubscriptionSettings.durable("single", type));
        RecordingConsumer reader = subscription.attach("reader");
        subscription.flow(reader, MANY);
        List<Position> published = new ArrayList<>(subscription.publish(100));
        subscription.awaitDelivered(reader, 100);
        memory.change(Kind.ENTRIES, memory.limitBytes(Kind.ENTRIES));
        published.addAll(subscription.publish(100));
        subscription.advance(1_000);
        subscription.awaitDelivered(reader, 200);
        subscription.checkInvariants();
        subscription.dispatcher.tell(new Detach(reader));
        RecordingConsumer next = subscription.attach("next");
        subscription.flow(next, MANY);
        subscription.awaitDelivered(next, 200);
        assertThat(next.positions()).isEqualTo(published);
        subscription.checkInvariants();
    }

    /** The tables of a subscription, without anything around them. */
    private final class Tables {
        final PendingAcks pending = new PendingAcks();
        final RedeliveryQueue waiting = new RedeliveryQueue();
        final DelayedEntries delayed = new DelayedEntries();
        final MemoryBudget budget = new MemoryBudget(1 << 30);
        final EntryMemory counted = new EntryMemory(
                budget,
                new EntryMemory.Held(
                        pending, waiting, delayed, new CursorState(subscription.log, Position.BEFORE_ALL), 1),
                null);
        private final long emptyBytes = bytes();

        long grownBytes() {
            return bytes() - emptyBytes;
        }

        private long bytes() {
            return Weight.bytes(pending) + Weight.bytes(waiting);
        }
    }

    private RecordingConsumer begin(String name) {
        subscription.dispatcher = subscription.durable(SubscriptionSettings.durable(name, SubscriptionType.SHARED));
        return subscription.attach("consumer of " + name);
    }

    /** Entries that are due one tick after the other. */
    private void publishDelayed(int count) {
        for (int i = 1; i <= count; i++) {
            subscription.append(1, 0, subscription.nowMillis + i * DelayedEntries.TICK_MILLIS, 0);
        }
        subscription.awaitDurable();
    }

    private List<Position> publishBatches(int count) {
        List<Position> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batches.add(subscription.append(MESSAGES));
        }
        subscription.awaitDurable();
        return batches;
    }

    /** The first one that was refused. */
    private Position ackPartlyUntilRefused(List<Position> batches) {
        for (int i = 0; i < batches.size(); i++) {
            BrokerException refusal = failureOf(acking(batches.get(i), 0b11));
            if (refusal != null) {
                assertThat(i).isBetween(EntryMemory.ALWAYS_KEPT, MANY / 2);
                assertThat(refusal.kind()).isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
                assertThat(refusal)
                        .hasMessageContaining("no memory for more entries")
                        .hasMessageContaining("-Xmx");
                return batches.get(i);
            }
        }
        throw new AssertionError("none was refused");
    }

    private CompletableFuture<Void> acking(Position batch, long... ackSet) {
        return subscription.acking(
                consumer, new AckRequest(AckRequest.Kind.INDIVIDUAL, List.of(new AckedPosition(batch, ackSet))));
    }

    private static BrokerException failureOf(CompletableFuture<Void> receipt) {
        OneSubscription.until("an answer", receipt::isDone);
        return receipt.isCompletedExceptionally() ? OneSubscription.failure(receipt) : null;
    }
}
