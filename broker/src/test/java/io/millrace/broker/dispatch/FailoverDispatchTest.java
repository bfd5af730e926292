package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverDispatchTest {
    @TempDir
    Path folder;

    private OneSubscription subscription;

    @BeforeEach
    void open() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.FAILOVER));
    }

    @AfterEach
    void close() {
        subscription.close();
    }

    @Test
    @Behaviour("ACK-1")
    void theActiveOneIsFirstByPriorityThenByNameAndEveryChangeIsAnnounced() {
        RecordingConsumer late = join("z", 1);
        assertThat(late.activeChanges).containsExactly(true);
        RecordingConsumer byName = join("b", 1);
        assertThat(late.activeChanges).containsExactly(true, false);
        assertThat(byName.activeChanges).containsExactly(true);
        RecordingConsumer byPriority = join("y", 0);
        assertThat(late.activeChanges).containsExactly(true, false, false);
        assertThat(byName.activeChanges).containsExactly(true, false);
        assertThat(byPriority.activeChanges).containsExactly(true);
        RecordingConsumer waiting = join("zz", 1);
        assertThat(waiting.activeChanges).containsExactly(false);
        assertThat(byPriority.activeChanges).containsExactly(true);
    }

    @Test
    @Behaviour("ACK-1")
    void theConsumersOfBestPriorityShareThePartitionsByTheirNumbers() throws IOException {
        subscription.close();
        SubscriptionSettings settings = SubscriptionSettings.durable("s", SubscriptionType.FAILOVER);
        subscription = new OneSubscription(folder.resolve("of-partition-5"), settings.withPartition(5));
        RecordingConsumer worse = join("a", 1);
        assertThat(worse.activeChanges).containsExactly(true);
        RecordingConsumer third = join("d", 0);
        RecordingConsumer first = join("b", 0);
        assertThat(worse.activeChanges).containsExactly(true, false);
        assertThat(third.activeChanges).containsExactly(true);
        assertThat(first.activeChanges).containsExactly(false);
    }

    @Test
    @Behaviour({"ACK-1", "ACK-6"})
    void aConsumerThatJoinsOrLeavesMovesAPartitionWithWhatIsNotAcknowledged() throws IOException {
        subscription.close();
        SubscriptionSettings settings = SubscriptionSettings.durable("s", SubscriptionType.FAILOVER);
        subscription = new OneSubscription(folder.resolve("of-partition-1"), settings.withPartition(1));
        RecordingConsumer first = join("a", 0);
        subscription.flow(first, 100);
        List<Position> published = subscription.publish(3);
        subscription.awaitDelivered(first, 3);
        subscription.ack(first, published.get(0));
        RecordingConsumer second = join("b", 0);
        subscription.flow(second, 100);
        subscription.awaitDelivered(second, 2);
        assertThat(second.positions()).isEqualTo(published.subList(1, 3));
        RecordingConsumer third = join("c", 0);
        assertThat(third.activeChanges).containsExactly(false);
        subscription.dispatcher.tell(new Detach(first));
        subscription.flow(third, 100);
        subscription.awaitDelivered(third, 2);
        assertThat(third.positions()).isEqualTo(published.subList(1, 3));
        assertThat(second.activeChanges).containsExactly(true, false);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour({"ACK-1", "ACK-6"})
    void aTakeoverResendsWhatThePreviousOneHeldBeforeAnythingLater() {
        RecordingConsumer first = join("a", 0);
        RecordingConsumer second = join("b", 0);
        subscription.flow(first, 4);
        subscription.flow(second, 100);
        List<Position> published = subscription.publish(8);
        subscription.awaitDelivered(first, 4);
        assertThat(second.delivered).isEmpty();
        subscription.ack(first, published.get(1));
        subscription.dispatcher.tell(new Detach(first));
        subscription.awaitDelivered(second, 7);
        List<Position> expected = new ArrayList<>(published);
        expected.remove(1);
        assertThat(second.positions()).isEqualTo(expected);
        assertThat(second.delivered.get(0).redeliveryCount()).isEqualTo(1);
        assertThat(second.delivered.get(6).redeliveryCount()).isZero();
        assertThat(second.activeChanges).containsExactly(false, true);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void aLateAcknowledgementByTheFormerActiveOneCounts() {
        RecordingConsumer former = join("b", 0);
        subscription.flow(former, 100);
        List<Position> published = subscription.publish(3);
        subscription.awaitDelivered(former, 3);
        RecordingConsumer active = join("a", 0);
        subscription.ackUpTo(former, published.get(1));
        subscription.flow(active, 100);
        subscription.awaitDelivered(active, 1);
        assertThat(active.positions()).containsExactly(published.get(2));
        subscription.checkInvariants();
    }

    private RecordingConsumer join(String name, int priority) {
        RecordingConsumer joined =
                subscription.attach(new RecordingConsumer(name), SubscriptionType.FAILOVER, priority);
        // Changes are announced right after the reply, before anything else is handled.
        assertThat(subscription.stats().consumers()).isNotEmpty();
        return joined;
    }
}
