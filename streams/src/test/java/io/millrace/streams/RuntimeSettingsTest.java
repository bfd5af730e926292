package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RuntimeSettingsTest {
    private final RuntimeSettings defaults = RuntimeSettings.defaults();

    @Test
    void oneSettingChangesAndTheOthersStay() {
        RuntimeSettings changed = defaults.withThreads(7).withIdleSearch(Duration.ZERO);
        assertThat(changed.threads()).isEqualTo(7);
        assertThat(changed.idleSearch()).isZero();
        assertThat(changed.withThreads(defaults.threads()).withIdleSearch(defaults.idleSearch()))
                .isEqualTo(defaults);
    }

    @Test
    void whatIsOutOfRangeIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withThreads(0))
                .withMessage("threads must be at least 1, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withIdleSearch(Duration.ofMillis(2)))
                .withMessage("idleSearch must be from 0 to 1 ms, not PT0.002S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withIdleSearch(Duration.ofNanos(-1)))
                .withMessageContaining("idleSearch");
    }
}
