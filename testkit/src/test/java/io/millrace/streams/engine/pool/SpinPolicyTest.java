package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SpinPolicyTest {
    private static final long SHORT_NANOS = 1_000;
    private static final long LONG_NANOS = 1_000_000_000;

    private final SpinPolicy policy = SpinPolicy.of(Duration.ofNanos(50_000));

    @Test
    void searchesGrowWhileTheyPayAndNoLongerThanTold() {
        int rounds = policy.minRounds();
        for (int i = 0; i < 20; i++) {
            int next = i % 2 == 0 ? policy.afterSuccess(rounds) : policy.afterPark(rounds, SHORT_NANOS);
            assertThat(next).isEqualTo(Math.min(policy.maxRounds(), 2 * rounds));
            rounds = next;
        }
        assertThat(rounds).isEqualTo(policy.maxRounds()).isEqualTo(1_000);
    }

    @Test
    void searchesShrinkWhereParksAreLong() {
        int rounds = policy.maxRounds();
        for (int i = 0; i < 20; i++) {
            rounds = policy.afterPark(rounds, LONG_NANOS);
        }
        assertThat(rounds).isEqualTo(policy.minRounds()).isPositive();
    }

    @Test
    void noSearchAtAllCanBeTold() {
        SpinPolicy none = SpinPolicy.of(Duration.ZERO);
        assertThat(none.afterSuccess(none.minRounds())).isZero();
        assertThat(none.afterPark(none.minRounds(), SHORT_NANOS)).isZero();
    }
}
