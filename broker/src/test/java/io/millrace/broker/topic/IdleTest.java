package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleTest {
    @Test
    void oneThatIsIdleFromLaterOnIsPassedOver() {
        Idle<String> idle = new Idle<>(Duration.ofDays(1));
        idle.add("later", 20);
        idle.add("first", 10);
        idle.add("second", 10);
        assertThat(idle.pollSince(10)).isEqualTo("first");
        assertThat(idle.pollSince(10)).isEqualTo("second");
        assertThat(idle.pollSince(10)).isNull();
        assertThat(idle.pollSince(20)).isEqualTo("later");
        assertThat(idle.poll()).isNull();
    }
}
