package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayedDeliveryTest {
    private static final int TICK = (int) DelayedEntries.TICK_MILLIS;

    @TempDir
    Path folder;

    private OneSubscription subscription;

    @AfterEach
    void close() {
        if (subscription != null) {
            subscription.close();
        }
    }

    @Test
    @Behaviour("ACK-8")
    void anEntryIsDueAtTheFirstTickThatIsNotBeforeItsTime() {
        DelayedEntries entries = new DelayedEntries();
        entries.add(1, 0, 7, 10 * TICK);
        entries.add(1, 1, 8, 10 * TICK + 1);
        entries.add(1, 2, 9, 9 * TICK);
        entries.add(1, 3, 9, 9 * TICK);
        entries.forget(1, 3);
        List<Long> due = new ArrayList<>();
        for (long now = 9 * TICK - 1; now <= 11 * TICK; now++) {
            entries.release(now, (ledger, entry, key) -> due.add(entry));
            assertThat(due.contains(2L)).isEqualTo(now >= 9 * TICK);
            assertThat(due.contains(0L)).isEqualTo(now >= 10 * TICK);
            assertThat(due.contains(1L)).isEqualTo(now == 11 * TICK);
        }
        assertThat(due).containsExactly(2L, 0L, 1L);
        assertThat(entries.size()).isZero();
        assertThat(entries.dueMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @Behaviour("ACK-8")
    void aTimeThatNeverComesIsKept() {
        DelayedEntries entries = new DelayedEntries();
        entries.add(1, 0, 0xFFFF, Long.MAX_VALUE);
        entries.release(1L << 50, (ledger, entry, key) -> {});
        assertThat(entries.contains(1, 0)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "KEY_SHARED"})
    @Behaviour({"ACK-8", "ACK-12"})
    void anEntryComesAtItsTimeAndOthersPassItMeanwhile(SubscriptionType type) throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", type));
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 100);
        Position later = subscription.append(1, 5, subscription.nowMillis + 10 * TICK, 0);
        Position sooner = subscription.append(1, 5, subscription.nowMillis + 5 * TICK, 0);
        Position now = subscription.append(1, 5, 0, 0);
        Position past = subscription.append(1, 5, subscription.nowMillis - 1, 0);
        subscription.awaitDurable();
        subscription.awaitDelivered(consumer, 2);
        assertThat(consumer.positions()).containsExactly(now, past);
        subscription.checkInvariants();
        assertThat(subscription.stats().delayedEntries()).isEqualTo(2);
        subscription.advance(5 * TICK - 1);
        assertThat(subscription.stats().delayedEntries()).isEqualTo(2);
        subscription.advance(1);
        subscription.awaitDelivered(consumer, 3);
        subscription.checkInvariants();
        subscription.advance(10_000);
        subscription.awaitDelivered(consumer, 4);
        assertThat(consumer.positions()).containsExactly(now, past, sooner, later);
        assertThat(consumer.delivered)
                .allSatisfy(each -> assertThat(each.redeliveryCount()).isZero());
        subscription.checkInvariants();
    }

    /** A single consumer gets all in order and at once; what it gave back, and what it never asked for, waits again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    @Behaviour("ACK-8")
    void aDelaySurvivesASingleConsumer(int askedByIt) throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer before = subscription.attach("before");
        subscription.flow(before, 100);
        Position delayed = subscription.append(1, 0, subscription.nowMillis + 4 * TICK, 0);
        subscription.awaitDurable();
        OneSubscription.until("it is read", () -> subscription.stats().delayedEntries() == 1);
        subscription.dispatcher.tell(new Detach(before));
        RecordingConsumer single = new RecordingConsumer("single");
        subscription.attach(single, SubscriptionType.EXCLUSIVE, 0);
        subscription.flow(single, askedByIt);
        subscription.awaitDelivered(single, Math.min(1, askedByIt));
        subscription.dispatcher.tell(new Detach(single));
        RecordingConsumer after = subscription.attach("after");
        subscription.flow(after, 100);
        Position now = subscription.append(1);
        subscription.awaitDurable();
        subscription.awaitDelivered(after, 1);
        assertThat(after.positions()).containsExactly(now);
        assertThat(subscription.stats().delayedEntries()).isEqualTo(1);
        subscription.checkInvariants();
        subscription.advance(4 * TICK);
        subscription.awaitDelivered(after, 2);
        assertThat(after.positions()).containsExactly(now, delayed);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-8")
    void aDelaySurvivesARestart() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer before = subscription.attach("before");
        subscription.flow(before, 100);
        Position delayed = subscription.append(1, 0, subscription.nowMillis + 4 * TICK, 0);
        Position now = subscription.append(1);
        subscription.awaitDurable();
        subscription.awaitDelivered(before, 1);
        subscription.ack(before, now);
        subscription.restart();
        RecordingConsumer after = subscription.attach("after");
        subscription.flow(after, 100);
        OneSubscription.until("it is read", () -> subscription.stats().delayedEntries() == 1);
        subscription.advance(4 * TICK);
        subscription.awaitDelivered(after, 1);
        assertThat(after.positions()).containsExactly(delayed);
    }

    @Test
    @Behaviour("ACK-8")
    void anAcknowledgedOrSkippedEntryNeverComes() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 100);
        Position acked = subscription.append(1, 0, subscription.nowMillis + TICK, 0);
        subscription.append(1, 0, subscription.nowMillis + TICK, 0);
        subscription.awaitDurable();
        OneSubscription.until("both are read", () -> subscription.stats().delayedEntries() == 2);
        subscription.ack(consumer, acked);
        assertThat(subscription.stats().delayedEntries()).isEqualTo(1);
        subscription.seek(SeekTarget.ToPosition.of(SeekTarget.LATEST));
        RecordingConsumer again = subscription.attach("again");
        subscription.flow(again, 100);
        subscription.advance(10_000);
        assertThat(subscription.stats().delayedEntries()).isZero();
        assertThat(again.delivered).isEmpty();
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-8")
    void typesWithOneActiveConsumerDeliverAtOnceAndSoDoesASubscriptionThatBecomesOne() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer shared = subscription.attach("shared");
        subscription.flow(shared, 100);
        Position first = subscription.append(1, 0, subscription.nowMillis + 10_000, 0);
        subscription.awaitDurable();
        OneSubscription.until("it is read", () -> subscription.stats().delayedEntries() == 1);
        subscription.dispatcher.tell(new DispatcherCommand.Detach(shared));
        RecordingConsumer only = subscription.attach(new RecordingConsumer("only"), SubscriptionType.EXCLUSIVE, 0);
        subscription.flow(only, 100);
        Position second = subscription.append(1, 0, subscription.nowMillis + 10_000, 0);
        subscription.awaitDurable();
        subscription.awaitDelivered(only, 2);
        assertThat(only.positions()).containsExactly(first, second);
    }

    @Test
    @Behaviour("ACK-8")
    void theDispatcherWakesItselfInTime() throws IOException {
        SubscriptionSettings settings = SubscriptionSettings.durable("s", SubscriptionType.SHARED);
        subscription = new OneSubscription(folder, settings);
        CursorLog cursorLog = OneSubscription.await(subscription.log.openCursor("timed", Position.BEFORE_ALL));
        SubscriptionStore store = OneSubscription.store(
                subscription.log, cursorLog, cursorLog.recovered(), InstantSource.system(), subscription.memory);
        subscription.dispatcher =
                Dispatchers.graph(settings, store, subscription.hub, () -> {}).run(subscription.runtime);
        Map<Position, Long> deliveredMillis = new ConcurrentHashMap<>();
        RecordingConsumer consumer = new RecordingConsumer(
                "c", delivered -> deliveredMillis.put(delivered.position(), System.currentTimeMillis()));
        subscription.attach(consumer, settings.type(), 0);
        subscription.flow(consumer, 100);
        long start = System.currentTimeMillis();
        Position later = subscription.append(1, 0, start + 700, 0);
        Position sooner = subscription.append(1, 0, start + 300, 0);
        subscription.awaitDurable();
        subscription.awaitDelivered(consumer, 2);
        assertThat(deliveredMillis.get(sooner)).isGreaterThanOrEqualTo(start + 300);
        assertThat(deliveredMillis.get(later)).isGreaterThanOrEqualTo(start + 700);
    }
}
