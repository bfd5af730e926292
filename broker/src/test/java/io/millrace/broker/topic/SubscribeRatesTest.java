package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.dispatch.SubscriptionType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SubscribeRatesTest {
    private static final int PERIOD_SECONDS = 30;

    private final SubscribeRates rates = SubscribeRates.of(new Rate(1, 0, PERIOD_SECONDS));
    private long nowNanos = 5;

    private boolean mayJoin(String consumer) {
        ConsumerOptions options = ConsumerOptions.of(1, consumer, SubscriptionType.SHARED);
        return rates.refusal(
                        SubscribeRequests.durable("sub", StartAt.EARLIEST, new RecordingConsumer(), options), nowNanos)
                == null;
    }

    @Test
    void whoHasNotTriedForAPeriodIsForgotten() {
        for (int i = 0; i < 100; i++) {
            assertThat(mayJoin("consumer-" + i)).isTrue();
        }
        nowNanos += Duration.ofSeconds(PERIOD_SECONDS - 1).toNanos();
        assertThat(mayJoin("consumer-7")).isFalse();
        assertThat(mayJoin("late")).isTrue();
        assertThat(rates.known()).isEqualTo(101);
        nowNanos += Duration.ofSeconds(1).toNanos();
        assertThat(mayJoin("consumer-7")).isTrue();
        assertThat(rates.known()).as("consumer-7 and the late one").isEqualTo(2);
        assertThat(mayJoin("late")).isFalse();
    }
}
