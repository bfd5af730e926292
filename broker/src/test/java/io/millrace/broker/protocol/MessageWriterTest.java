package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageWriterTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private boolean takesChecksums = true;
    private final MessageWriter writer = new MessageWriter(channel, new Output(channel), () -> takesChecksums);
    private final List<ByteBuf> stored = new ArrayList<>();

    @Test
    @Behaviour("PRO-6")
    void messagesOfEverySizeArriveInOrderAndEveryReferenceIsGivenBack() {
        long seed = System.nanoTime();
        System.err.println("messagesOfEverySizeArriveInOrderAndEveryReferenceIsGivenBack seed " + seed);
        Random random = new Random(seed);
        DeliveryBatch batch = new DeliveryBatch(null, -1);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[random.nextInt(5) == 0 ? random.nextInt(100_000) : random.nextInt(3_000)];
            random.nextBytes(bytes);
            sent.add(bytes);
            batch.add(entry(i, bytes), i % 3, i % 4 == 0 ? new long[] {i, -1} : null);
        }
        writer.write(42, -1, batch);
        ByteBuf written = written();
        for (int i = 0; i < sent.size(); i++) {
            byte[] data = new byte[sent.get(i).length];
            CommandMessage message = next(written, data);
            assertThat(message.getConsumerId()).isEqualTo(42);
            assertThat(message.getMessageId().getLedgerId()).isEqualTo(9);
            assertThat(message.getMessageId().getEntryId()).isEqualTo(i);
            assertThat(message.getRedeliveryCount()).isEqualTo(i % 3);
            assertThat(message.getAckSetsCount()).isEqualTo(i % 4 == 0 ? 2 : 0);
            assertThat(message.hasConsumerEpoch()).isFalse();
            assertThat(data).isEqualTo(sent.get(i));
        }
        assertThat(written.isReadable()).isFalse();
        written.release();
        assertThat(stored).allSatisfy(data -> assertThat(data.refCnt()).isZero());
    }

    @Test
    @Behaviour("PRO-6")
    void whatWaitsForAClientHoldsNoMoreMemoryThanItsOwn() {
        StuckChannel stuck = new StuckChannel();
        MessageWriter toStuck = new MessageWriter(stuck, new Output(stuck), () -> true);
        ByteBuf cache = PooledByteBufAllocator.DEFAULT.directBuffer(256 << 10).writeZero(256 << 10);
        for (int i = 0; i < 3; i++) {
            toStuck.write(42, -1, slices(cache, 10_000));
            stuck.runPendingTasks();
        }
        assertThat(cache.refCnt())
                .as("held by the first batch, which met an idle socket")
                .isEqualTo(2);
        toStuck.write(42, -1, slices(cache, 100_000));
        assertThat(cache.refCnt()).as("a large share is not copied").isEqualTo(3);
        stuck.close().syncUninterruptibly();
        assertThat(cache.release()).as("nobody else holds it").isTrue();
    }

    private static DeliveryBatch slices(ByteBuf cache, int bytes) {
        DeliveryBatch batch = new DeliveryBatch(null, -1);
        batch.add(
                new Entry(new Position(9, 0), new EntryHeader(1, 0, 0, 0, 0), cache.retainedSlice(0, bytes)), 0, null);
        return batch;
    }

    /** A connection whose client takes nothing. */
    private static final class StuckChannel extends EmbeddedChannel {
        @Override
        protected void doWrite(ChannelOutboundBuffer in) {
            assertThat(in.size()).isPositive();
        }
    }

    @Test
    @Behaviour("PRO-6")
    void aClientWithoutChecksumsGetsWhatIsBehindThem() {
        for (int payloadBytes : new int[] {0, 1, 2_000, 2_047, 2_048, 50_000}) {
            String payload = "x".repeat(payloadBytes);
            byte[] checked = WireFrames.message(WireFrames.metadata(0), payload);
            byte[] unchecked = WireFrames.withoutChecksum(WireFrames.metadata(0), payload);
            takesChecksums = true;
            writer.write(42, -1, batchOf(checked, unchecked));
            assertThat(writtenOf(checked.length, unchecked.length)).containsExactly(checked, unchecked);
            takesChecksums = false;
            writer.write(42, -1, batchOf(checked, unchecked));
            assertThat(writtenOf(unchecked.length, unchecked.length)).containsExactly(unchecked, unchecked);
        }
        assertThat(stored).allSatisfy(data -> assertThat(data.refCnt()).isZero());
    }

    @Test
    void bytesThatAreTooFewForAChecksumAreSentAsTheyAre() {
        takesChecksums = false;
        byte[] few = {0x0e, 0x01, 0, 0, 0};
        byte[] none = {0x0e, 0x01, 0, 0, 0, 0};
        writer.write(42, -1, batchOf(few, none));
        assertThat(writtenOf(few.length, 0)).containsExactly(few, new byte[0]);
    }

    private DeliveryBatch batchOf(byte[]... messages) {
        DeliveryBatch batch = new DeliveryBatch(null, -1);
        for (int i = 0; i < messages.length; i++) {
            batch.add(entry(i, messages[i]), 0, null);
        }
        return batch;
    }

    /** What stands behind the commands that were written, of these sizes. */
    private List<byte[]> writtenOf(int... sizes) {
        List<byte[]> all = new ArrayList<>();
        ByteBuf written = written();
        for (int size : sizes) {
            byte[] data = new byte[size];
            next(written, data);
            all.add(data);
        }
        assertThat(written.isReadable()).isFalse();
        written.release();
        return all;
    }

    @Test
    void theEpochOfTheBatchIsSentWithEveryMessage() {
        DeliveryBatch batch = new DeliveryBatch(null, 3);
        batch.add(entry(0, new byte[5]), 0, null);
        writer.write(42, -1, batch);
        ByteBuf written = written();
        assertThat(next(written, new byte[5]).getConsumerEpoch()).isEqualTo(3);
        written.release();
    }

    @Test
    @Behaviour("PRO-6")
    void aClosedConnectionTakesNothingAndKeepsNothing() {
        channel.close().syncUninterruptibly();
        DeliveryBatch batch = new DeliveryBatch(null, -1);
        batch.add(entry(0, new byte[5]), 0, null);
        batch.add(entry(1, new byte[50_000]), 0, null);
        writer.write(42, -1, batch);
        channel.runPendingTasks();
        assertThat(stored).allSatisfy(data -> assertThat(data.refCnt()).isZero());
    }

    private Entry entry(long entryId, byte[] bytes) {
        ByteBuf data = PooledByteBufAllocator.DEFAULT.buffer().writeBytes(bytes);
        stored.add(data);
        return new Entry(new Position(9, entryId), new EntryHeader(1, 0, 0, 0, 0), data);
    }

    private static CommandMessage next(ByteBuf written, byte[] data) {
        int frameBytes = written.readInt();
        int commandBytes = written.readInt();
        assertThat(frameBytes).isEqualTo(4 + commandBytes + data.length);
        BaseCommand command = new BaseCommand();
        command.parseFrom(written, commandBytes);
        command.materialize();
        written.readBytes(data);
        return command.getMessage();
    }

    private ByteBuf written() {
        channel.runPendingTasks();
        ByteBuf all = PooledByteBufAllocator.DEFAULT.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        return all;
    }
}
