package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoundClockTest {
    @Test
    void theClockIsReadOnceInARoundThatAsksAndNotInOthers() {
        AtomicLong reads = new AtomicLong();
        RoundClock clock = new RoundClock(() -> Instant.ofEpochMilli(reads.incrementAndGet()));
        assertThat(clock.millis()).isEqualTo(1);
        assertThat(clock.millis()).isEqualTo(1);
        clock.next();
        clock.next();
        assertThat(reads.get()).isEqualTo(1);
        assertThat(clock.millis()).isEqualTo(2);
    }
}
