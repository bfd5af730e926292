package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentIdsTest {
    private long nowNanos = Long.MAX_VALUE - 5;

    private final RecentIds ids = new RecentIds(2, Duration.ofNanos(10), () -> nowNanos);

    @Test
    @Behaviour("PRO-5")
    void anIdIsRecentForItsTimeFromWhenItWasAddedLast() {
        ids.add(1);
        nowNanos += 9;
        assertThat(ids.contains(1)).isTrue();
        ids.add(1);
        nowNanos += 9;
        assertThat(ids.contains(1)).isTrue();
        nowNanos++;
        assertThat(ids.contains(1)).isFalse();
    }

    @Test
    @Behaviour("PRO-5")
    void theOldestGoesWhereThereAreTooMany() {
        ids.add(1);
        ids.add(2);
        ids.add(1);
        ids.add(3);
        assertThat(ids.contains(2)).isFalse();
        assertThat(ids.contains(1)).isTrue();
        assertThat(ids.contains(3)).isTrue();
    }
}
