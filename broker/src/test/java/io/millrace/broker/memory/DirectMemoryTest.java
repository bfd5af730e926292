package io.millrace.broker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import org.junit.jupiter.api.Test;

/** What pools of bytes outside the heap are given. */
class DirectMemoryTest {
    private static final long MIB = 1 << 20;

    @Test
    @Behaviour("PRO-14")
    void aPartFollowsTheLimitWithinItsBounds() {
        assertThat(DirectMemory.part(64 * MIB, 8, MIB, 32 * MIB)).isEqualTo(8 * MIB);
        assertThat(DirectMemory.part(1_024 * MIB, 8, MIB, 32 * MIB)).isEqualTo(32 * MIB);
        assertThat(DirectMemory.part(4 * MIB, 8, MIB, 32 * MIB)).isEqualTo(MIB);
        assertThat(DirectMemory.limitBytes()).isPositive();
    }
}
