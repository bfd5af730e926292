package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeterTest {
    private static final long START = Long.MAX_VALUE - 5; // so that it overflows
    private final Meter meter = new Meter(2, START);

    private double[] look(long seconds, long first, long second) {
        return meter.look(START + TimeUnit.SECONDS.toNanos(seconds), first, second);
    }

    @Test
    void inTheFirstTenSecondsRatesAreThoseSinceTheBeginning() {
        assertThat(look(2, 10, 0)).containsExactly(5, 0);
        assertThat(look(4, 10, 8)).containsExactly(2.5, 2);
        assertThat(look(20, 20, 8)).containsExactly(1, 0.4);
    }

    @Test
    void thenThoseSinceTheLastLookThatIsOldEnoughHoweverOftenItIsLookedAt() {
        look(10, 100, 0);
        for (int second = 11; second < 20; second++) {
            assertThat(look(second, 100 + second, 7)).containsExactly(10, 0);
        }
        assertThat(look(20, 150, 20)).containsExactly(5, 2);
        assertThat(look(21, 1_000, 1_000)).containsExactly(5, 2);
    }

    @Test
    void whatHasStoppedFallsToNothing() {
        look(10, 100, 100);
        assertThat(look(20, 100, 100)).containsExactly(0, 0);
    }

    @Test
    void lessThanASecondCountsAsOne() {
        assertThat(meter.look(START, 3, 0)).containsExactly(3, 0);
        assertThat(meter.look(START + 1, 3, 0)).containsExactly(3, 0);
    }
}
