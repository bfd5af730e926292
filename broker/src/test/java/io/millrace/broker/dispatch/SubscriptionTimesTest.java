package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.dispatch.DispatcherStats.ConsumerTimes;
import io.millrace.broker.dispatch.DispatcherStats.Times;
import io.millrace.broker.log.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a subscription and its consumers did what, by a clock that the test moves. */
class SubscriptionTimesTest extends DispatchFixture {
    private Times times() {
        return subscription.stats().times();
    }

    private ConsumerTimes consumerTimes() {
        return subscription.stats().consumers().get(0).times();
    }

    /** Moves the clock once everything that was said before is dealt with. */
    private void at(long millis) {
        subscription.checkInvariants();
        subscription.stats();
        subscription.nowMillis = millis;
    }

    @Test
    void nothingIsDatedBeforeItHappens() throws Exception {
        open(SubscriptionType.SHARED);
        subscription.publish(3);
        subscription.attach("c");
        assertThat(times()).isEqualTo(new Times(0, 0, 0));
        assertThat(consumerTimes()).isEqualTo(new ConsumerTimes(0, 0, 0, 0, 0));
    }

    @Test
    void theFirstAndTheLastRequestAndDeliveryAreTold() throws Exception {
        open(SubscriptionType.SHARED);
        RecordingConsumer consumer = subscription.attach("c");
        at(2_000);
        subscription.flow(consumer, 2);
        assertThat(times().flowMillis()).isEqualTo(2_000);
        assertThat(consumerTimes()).isEqualTo(new ConsumerTimes(2_000, 2_000, 0, 0, 0));
        at(3_000);
        subscription.publish(1);
        subscription.awaitDelivered(consumer, 1);
        assertThat(consumerTimes()).isEqualTo(new ConsumerTimes(2_000, 2_000, 3_000, 3_000, 0));
        at(4_000);
        subscription.flow(consumer, 1);
        at(5_000);
        subscription.publish(1);
        subscription.awaitDelivered(consumer, 2);
        assertThat(consumerTimes()).isEqualTo(new ConsumerTimes(2_000, 4_000, 3_000, 5_000, 0));
        assertThat(times()).isEqualTo(new Times(4_000, 0, 0));
    }

    @Test
    void anAcknowledgementIsDatedAndTheMarkOnlyWhenItMoves() throws Exception {
        open(SubscriptionType.SHARED);
        List<Position> published = subscription.publish(3);
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 10);
        subscription.awaitDelivered(consumer, 3);
        at(2_000_000);
        subscription.ack(consumer, published.get(1));
        assertThat(consumerTimes().lastAckMillis()).isEqualTo(2_000_000);
        assertThat(times().markMillis()).isZero();
        at(3_000_000);
        subscription.ack(consumer, published.get(0));
        assertThat(times().markMillis()).isEqualTo(3_000_000);
        at(4_000_000);
        subscription.ack(consumer, published.get(0));
        assertThat(consumerTimes().lastAckMillis()).isEqualTo(4_000_000);
        assertThat(times().markMillis()).isEqualTo(3_000_000);
    }

    @Test
    void whatAnAdministratorSkipsOrSeeksIsNotDatedAndWhatExpiresIs() throws Exception {
        open(SubscriptionType.SHARED);
        List<Position> published = subscription.publish(4);
        at(2_000_000);
        subscription.<Void>ask(reply -> new Skip(new SkipTarget.Entries(1), reply));
        assertThat(times()).isEqualTo(new Times(0, 0, 0));
        at(3_000_000);
        subscription.<Void>ask(reply -> new Skip(new SkipTarget.Expired(published.get(1)), reply));
        assertThat(times()).isEqualTo(new Times(0, 3_000_000, 3_000_000));
        assertThat(subscription.stats().backlogEntries()).isEqualTo(2);
        at(4_000_000);
        subscription.<Void>ask(reply -> new Skip(new SkipTarget.Expired(published.get(1)), reply));
        assertThat(times()).isEqualTo(new Times(0, 3_000_000, 4_000_000));
        at(5_000_000);
        subscription.seek(SeekTarget.ToPosition.of(SeekTarget.EARLIEST));
        assertThat(times()).isEqualTo(new Times(0, 3_000_000, 4_000_000));
    }

    @Test
    void theTimesOfTheSubscriptionStayWhenItsConsumersLeave() throws Exception {
        open(SubscriptionType.FAILOVER);
        List<Position> published = subscription.publish(1);
        RecordingConsumer consumer = subscription.attach("c");
        at(2_000_000);
        subscription.flow(consumer, 1);
        subscription.awaitDelivered(consumer, 1);
        subscription.ackUpTo(consumer, published.get(0));
        subscription.dispatcher.tell(new Detach(consumer));
        assertThat(subscription.stats().consumers()).isEmpty();
        assertThat(times()).isEqualTo(new Times(2_000_000, 2_000_000, 0));
    }
}
