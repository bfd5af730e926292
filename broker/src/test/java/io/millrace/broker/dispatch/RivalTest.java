package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A consumer is asked whether it is alive, which ends it if it is silent, only where its end would let another one in. */
class RivalTest extends DispatchFixture {
    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForAConsumerOfAnotherTypeBesideSeveral() throws IOException {
        open(SubscriptionType.SHARED);
        List<RecordingConsumer> workers = List.of(silent("one"), silent("two"));
        workers.forEach(each -> subscription.attach(each, SubscriptionType.SHARED, 0));
        assertBusy(subscription.refusedAttach(new RecordingConsumer("next"), SubscriptionType.FAILOVER));
        assertNobodyAsked(workers);
    }

    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForAConsumerBeyondTheMost() throws IOException {
        open(atMost(2));
        List<RecordingConsumer> workers = List.of(silent("one"), silent("two"));
        workers.forEach(each -> subscription.attach(each, SubscriptionType.SHARED, 0));
        assertBusy(subscription.refusedAttach(new RecordingConsumer("next"), SubscriptionType.SHARED));
        assertNobodyAsked(workers);
    }

    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForAKeySharedConsumerOfAnotherModeBesideSeveral() throws IOException {
        open(SubscriptionType.KEY_SHARED);
        List<RecordingConsumer> workers = List.of(silent("one"), silent("two"));
        workers.forEach(each -> subscription.attach(each, keys(each, KeySharedOptions.autoSplit(false))));
        assertBusy(subscription.refusedAttach("next", KeySharedOptions.autoSplit(true)));
        assertNobodyAsked(workers);
    }

    @Test
    @Behaviour("PRO-11")
    void ofStickyConsumersTheOneIsAskedThatHasTheRange() throws IOException {
        open(SubscriptionType.KEY_SHARED);
        List<RecordingConsumer> workers = List.of(silent("low"), silent("high"));
        subscription.attach(workers.get(0), keys(workers.get(0), sticky(0, 999)));
        subscription.attach(workers.get(1), keys(workers.get(1), sticky(1_000, 1_999)));
        assertThat(subscription.refusedAttach("both", sticky(500, 1_500)).kind())
                .isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        assertNobodyAsked(workers);
        subscription.attach("next", sticky(500, 700));
        assertThat(workers.get(0).timesAsked).hasValue(1);
        assertThat(workers.get(1).timesAsked).hasValue(0);
        assertThat(subscription.stats().consumers()).hasSize(2);
    }

    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForRangesThatCannotBe() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer worker = silent("only");
        subscription.attach(worker, SubscriptionType.SHARED, 0);
        BrokerException refusal = subscription.refusedAttach("next", sticky(7, 70_000));
        assertThat(refusal.kind()).isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        assertNobodyAsked(List.of(worker));
    }

    @Test
    @Behaviour("PRO-11")
    void theOnlyConsumerGivesWayIfItIsSilent() throws IOException {
        open(atMost(1));
        RecordingConsumer first = silent("first");
        subscription.attach(first, SubscriptionType.SHARED, 0);
        RecordingConsumer second = silent("second");
        subscription.attach(second, SubscriptionType.SHARED, 0);
        RecordingConsumer third = new RecordingConsumer("third");
        subscription.attach(third, SubscriptionType.EXCLUSIVE, 0);
        assertBusy(subscription.refusedAttach(new RecordingConsumer("fourth"), SubscriptionType.EXCLUSIVE));
        assertThat(third.timesAsked).hasValue(1);
    }

    private static SubscriptionSettings atMost(int consumers) {
        SubscriptionLimits limits = new SubscriptionLimits(consumers, 100, 100, 100);
        return new SubscriptionSettings("s", SubscriptionType.SHARED, true, 0, limits);
    }

    private static RecordingConsumer silent(String name) {
        RecordingConsumer consumer = new RecordingConsumer(name);
        consumer.silent = true;
        return consumer;
    }

    private static KeySharedOptions sticky(int first, int last) {
        return KeySharedOptions.sticky(List.of(new HashRange(first, last)), false);
    }

    private static ConsumerOptions keys(RecordingConsumer consumer, KeySharedOptions options) {
        return ConsumerOptions.of(1, consumer.name, SubscriptionType.KEY_SHARED).withKeyShared(options);
    }

    private static void assertBusy(BrokerException refusal) {
        assertThat(refusal.kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
    }

    private void assertNobodyAsked(List<RecordingConsumer> consumers) {
        assertThat(consumers).allSatisfy(each -> assertThat(each.timesAsked).hasValue(0));
        assertThat(subscription.stats().consumers()).hasSize(consumers.size());
    }
}
