package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.OwnJvm;
import io.millrace.testkit.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InjectQueueTest {
    private static final int MORE_THAN_THE_RING_HOLDS = 10_000;

    private final InjectQueue queue = new InjectQueue();

    private void add(int from, int to) {
        for (int i = from; i < to; i++) {
            queue.add(new NumberedTask(i));
        }
    }

    private void expect(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(queue.isEmpty()).isFalse();
            assertThat(queue.poll()).isEqualTo(new NumberedTask(i));
        }
    }

    @Test
    void tasksComeInTheirOrderThoughTheRingIsFull() {
        add(0, MORE_THAN_THE_RING_HOLDS);
        expect(0, 100);
        add(MORE_THAN_THE_RING_HOLDS, MORE_THAN_THE_RING_HOLDS + 100);
        expect(100, MORE_THAN_THE_RING_HOLDS + 100);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void theRingIsUsedAgainOnceItsOverflowIsTaken() {
        add(0, MORE_THAN_THE_RING_HOLDS);
        expect(0, MORE_THAN_THE_RING_HOLDS);
        long taken = queue.takenFromRing();
        add(0, 10);
        expect(0, 10);
        assertThat(queue.takenFromRing()).isEqualTo(taken + 10);
    }

    @Test
    @Behaviour("INT-11")
    void whatIsTakenIsCountedWhereverItWas() {
        add(0, MORE_THAN_THE_RING_HOLDS);
        for (int i = 0; i < MORE_THAN_THE_RING_HOLDS; i++) {
            assertThat(queue.takenCount()).isEqualTo(i);
            queue.poll();
        }
    }

    @Test
    void aTaskForWhichThereIsNoMemoryIsRefusedAndTheOthersComeOut() throws Exception {
        OwnJvm.assertSucceeds(FullHeapProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC"));
    }
}
