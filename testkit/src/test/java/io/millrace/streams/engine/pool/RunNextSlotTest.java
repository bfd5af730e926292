package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RunNextSlotTest {
    private final RunNextSlot slot = new RunNextSlot();
    private final Runnable first = new NumberedTask(1);
    private final Runnable second = new NumberedTask(2);

    @Test
    void eachTaskMayPutOne() {
        slot.open();
        assertThat(slot.put(first)).isTrue();
        assertThat(slot.put(second)).isFalse();
        assertThat(slot.take()).isSameAs(first);
        assertThat(slot.put(second)).as("the same task goes on").isFalse();
        slot.open();
        assertThat(slot.put(second)).isTrue();
        assertThat(slot.take()).isSameAs(second);
        assertThat(slot.take()).isNull();
    }

    @Test
    void aStolenTaskIsNotTaken() {
        slot.open();
        slot.put(first);
        assertThat(slot.peek()).isSameAs(first);
        assertThat(slot.steal(first)).isTrue();
        assertThat(slot.peek()).isNull();
        assertThat(slot.take()).isNull();
    }

    @Test
    void aTaskThatWasTakenIsNotStolenNorTheNextOneInItsPlace() {
        slot.open();
        slot.put(first);
        assertThat(slot.take()).isSameAs(first);
        assertThat(slot.steal(first)).isFalse();
        slot.open();
        slot.put(second);
        assertThat(slot.steal(first)).isFalse();
        assertThat(slot.take()).isSameAs(second);
    }

    @Test
    void theCountTellsThatAnotherTaskWasPutInTheSamePlace() {
        int before = slot.putCount();
        slot.open();
        slot.put(first);
        int after = slot.putCount();
        assertThat(after).isNotEqualTo(before);
        slot.take();
        assertThat(slot.putCount()).isEqualTo(after);
        slot.open();
        slot.put(first);
        assertThat(slot.putCount()).isNotEqualTo(after);
    }
}
