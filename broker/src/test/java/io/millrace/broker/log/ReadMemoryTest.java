package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ReadMemoryTest {
    private final AtomicInteger told = new AtomicInteger();

    @Test
    @Behaviour("LOG-16")
    void whoListensIsToldOnceASecondThatTheBoundIsPassed() throws Exception {
        ReadMemory memory = new ReadMemory(1_000);
        memory.listener(told::incrementAndGet);
        assertThat(memory.hasRoom(1_000)).isTrue();
        assertThat(told).hasValue(0);
        ByteBuf held = memory.allocate(600);
        long start = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            assertThat(memory.hasRoom(401)).isFalse();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        assertThat(told.get()).isBetween(1, 1 + (int) seconds);
        held.release();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    @Behaviour("LOG-16")
    void aReadWithoutMemoryFailsByNameAndCountsNothing() {
        ReadMemory memory = new ReadMemory(1_000);
        memory.listener(told::incrementAndGet);
        List<ByteBuf> held = new ArrayList<>();
        try {
            assertThatThrownBy(() -> fill(memory, held))
                    .isInstanceOf(ReadMemoryException.class)
                    .hasMessageContaining("clients hold " + memory.heldBytes() + " bytes")
                    .hasMessageContaining("-XX:MaxDirectMemorySize");
            assertThat(memory.heldBytes()).isEqualTo(held.size() * (long) Integer.MAX_VALUE);
            assertThat(told).hasValue(1);
        } finally {
            held.forEach(ByteBuf::release);
        }
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    @Behaviour("LOG-16")
    void singleEntriesBeyondTheBoundHaveALimitInAll() throws Exception {
        ReadMemory memory = new ReadMemory(100, 1_000);
        memory.listener(told::incrementAndGet);
        ByteBuf alone = memory.allocate(2_000);
        assertThatThrownBy(() -> memory.allocate(1)).isInstanceOf(ReadMemoryException.class);
        assertThat(told).hasValue(1);
        alone.release();
        ByteBuf first = memory.allocate(600);
        ByteBuf second = memory.allocate(400);
        assertThatThrownBy(() -> memory.allocate(1))
                .isInstanceOf(ReadMemoryException.class)
                .hasMessageContaining("clients hold 1000 bytes");
        first.release();
        second.release();
        assertThat(memory.heldBytes()).isZero();
    }

    /** Takes more than any machine lets one process have: address space ends at 128 TiB, direct memory at the heap's size. */
    private static void fill(ReadMemory memory, List<ByteBuf> held) throws ReadMemoryException {
        for (int i = 0; i < 1 << 17; i++) {
            held.add(memory.allocate(Integer.MAX_VALUE));
        }
    }
}
