package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long START = -5 * SECOND;

    @Test
    void onePeriodMayPassAtOnceAndMoreIsWaitedForAfterwards() {
        Throttle throttle = new Throttle(new Rate(10, 0, 1), START);
        throttle.passed(9, 1_000_000);
        assertThat(throttle.waitNanos(START)).isZero();
        throttle.passed(11, 0);
        assertThat(throttle.waitNanos(START)).isEqualTo(11 * SECOND / 10);
        assertThat(throttle.waitNanos(START + SECOND)).isEqualTo(SECOND / 10);
        assertThat(throttle.waitNanos(START + 11 * SECOND / 10)).isZero();
    }

    @Test
    void whatIsNotUsedIsNotSavedBeyondOnePeriod() {
        Throttle throttle = new Throttle(new Rate(10, 0, 1), START);
        assertThat(throttle.waitNanos(START + 100 * SECOND)).isZero();
        throttle.passed(10, 0);
        assertThat(throttle.waitNanos(START + 100 * SECOND)).isEqualTo(SECOND / 10);
    }

    @Test
    void theLongerOfTwoWaitsCounts() {
        Throttle throttle = new Throttle(new Rate(1, 100, 2), START);
        throttle.passed(1, 399);
        assertThat(throttle.waitNanos(START)).isEqualTo(6 * SECOND);
        throttle.passed(9, 0);
        assertThat(throttle.waitNanos(START)).isEqualTo(20 * SECOND);
    }

    @Test
    void overTimeNoMorePassesThanTheRateAndOnePeriod() {
        Rate rate = new Rate(7, 0, 3);
        Throttle throttle = new Throttle(rate, START);
        long now = START;
        int passed = 0;
        while (now < START + 300 * SECOND) {
            long wait = throttle.waitNanos(now);
            now += wait;
            if (wait == 0) {
                throttle.passed(1, 0);
                passed++;
            }
        }
        assertThat(passed).isBetween(7 + 700 - 1, 7 + 700);
    }

    @Test
    void noRateIsNoLimit() {
        Throttle throttle = new Throttle(Rate.NONE, START);
        throttle.passed(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(throttle.waitNanos(START)).isZero();
        assertThatThrownBy(() -> new Rate(-1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
