package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ConsumersTest {
    private final Consumers consumers =
            new Consumers(new PendingAcks(), System::nanoTime, new RoundClock(InstantSource.system()));

    @Test
    void whatOneThatLeavesWasGivenGoesOnItsWay() {
        RecordingConsumer link = new RecordingConsumer("leaving");
        Consumer leaving = consumers.add(link, ConsumerOptions.of(1, "leaving", SubscriptionType.SHARED), 0);
        link.unflushed = 1;
        consumers.delivered(leaving);
        consumers.remove(leaving);
        assertThat(link.unflushed).isZero();
        link.unflushed = 1;
        consumers.flush();
        assertThat(link.unflushed).as("what is written for one that is gone").isEqualTo(1);
    }
}
