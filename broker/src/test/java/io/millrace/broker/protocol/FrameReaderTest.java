package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final int LIMIT_BYTES = 100_000;
    private static final int MEMORY_BYTES = 30_000;
    private static final int LARGE_PART_BYTES = 90_000;

    private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    private final FrameReader reader = new FrameReader(allocator, LIMIT_BYTES, new FrameMemory(2 * LIMIT_BYTES));
    private final List<byte[]> frames = new ArrayList<>();

    @Test
    void framesCutAtRandomArriveWholeAndInOrder() throws Exception {
        long seed = System.nanoTime();
        System.err.println("framesCutAtRandomArriveWholeAndInOrder seed " + seed);
        Random random = new Random(seed);
        List<byte[]> sent = new ArrayList<>();
        ByteBuf all = allocator.buffer();
        for (int i = 0; i < 300; i++) {
            byte[] frame = new byte[random.nextInt(10) == 0 ? random.nextInt(LIMIT_BYTES + 1) : random.nextInt(50)];
            random.nextBytes(frame);
            sent.add(frame);
            all.writeInt(frame.length).writeBytes(frame);
        }
        while (all.isReadable()) {
            int cut = random.nextBoolean() ? random.nextInt(8) : random.nextInt(70_000);
            ByteBuf part = allocator.buffer().writeBytes(all, Math.min(cut, all.readableBytes()));
            reader.read(part, this::keep);
            assertThat(part.refCnt()).isZero();
        }
        all.release();
        reader.close();
        assertThat(frames).usingElementComparator(Arrays::compare).isEqualTo(sent);
    }

    @Test
    @Behaviour("PRO-1")
    void aSizeAboveTheLimitOrNegativeIsRefusedBeforeAnythingOfItIsKept() {
        for (int size : new int[] {LIMIT_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            ByteBuf bytes = allocator.buffer().writeInt(size).writeZero(10);
            assertThatThrownBy(() -> reader.read(bytes, this::keep))
                    .isInstanceOf(MalformedFrameException.class)
                    .hasMessageContaining(Integer.toUnsignedString(size))
                    .hasMessageContaining("" + LIMIT_BYTES);
            assertThat(bytes.refCnt()).isZero();
        }
        assertThat(frames).isEmpty();
    }

    @Test
    @Behaviour("PRO-6")
    void anUnfinishedFrameIsGivenBackWhenTheConnectionEnds() throws Exception {
        ByteBuf bytes = allocator.buffer().writeInt(50).writeZero(10);
        reader.read(bytes, this::keep);
        assertThat(bytes.refCnt()).isZero();
        reader.close();
        reader.close();
        assertThat(frames).isEmpty();
    }

    @Test
    @Behaviour("PRO-14")
    void unfinishedFramesShareWhatMemoryThereIsForThemAndEachMayHaveALittle() throws Exception {
        FrameMemory memory = new FrameMemory(MEMORY_BYTES);
        FrameReader first = new FrameReader(allocator, LIMIT_BYTES, memory);
        FrameReader other = new FrameReader(allocator, LIMIT_BYTES, memory);
        first.read(unfinished(LARGE_PART_BYTES), this::keep);
        assertThat(memory.heldBytes()).isPositive();
        assertThatThrownBy(() -> other.read(unfinished(LARGE_PART_BYTES), this::keep))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("no memory for more frames")
                .hasMessageContaining("-XX:MaxDirectMemorySize");
        other.close();
        other.read(unfinished(FrameMemory.ALWAYS_BYTES - Integer.BYTES), this::keep);
        first.read(allocator.buffer().writeZero(LIMIT_BYTES - LARGE_PART_BYTES), this::keep);
        assertThat(frames).hasSize(1);
        assertThat(memory.heldBytes()).as("when the frame is whole").isZero();
        first.read(unfinished(LARGE_PART_BYTES), this::keep);
        first.close();
        other.close();
        assertThat(memory.heldBytes()).as("when the connections are gone").isZero();
    }

    /** The size of a frame and so many of its bytes. */
    private ByteBuf unfinished(int bytes) {
        return allocator.buffer().writeInt(LIMIT_BYTES).writeZero(bytes);
    }

    @Test
    void aRefusedFrameEndsReadingOfTheBytesBehindIt() throws Exception {
        ByteBuf bytes = allocator.buffer().writeInt(1).writeByte(1).writeInt(1).writeByte(2);
        reader.read(bytes, frame -> {
            keep(frame);
            return false;
        });
        assertThat(frames).hasSize(1);
        assertThat(bytes.refCnt()).isZero();
    }

    private boolean keep(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        frames.add(bytes);
        return true;
    }
}
