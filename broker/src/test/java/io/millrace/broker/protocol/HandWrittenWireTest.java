package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSend;
import io.millrace.wire.CommandSendReceipt;
import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is read and written by hand, beside the same read and written by generated code. */
class HandWrittenWireTest {
    private static final int ROUNDS = 20_000;
    private static final int AT = 5;

    private final Random random = seeded();
    private final MetadataFields metadata = new MetadataFields();
    private final SendCommand send = new SendCommand();

    private static Random seeded() {
        long seed = System.nanoTime();
        System.err.println("HandWrittenWireTest seed " + seed);
        return new Random(seed);
    }

    @Test
    void metadataOfEveryShapeIsReadAsGeneratedCodeReadsIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            MessageMetadata expected = randomMetadata();
            ByteBuf bytes = placed(expected.getSerializedSize());
            expected.writeTo(bytes);
            metadata.read(bytes, AT, bytes.writerIndex() - AT);
            assertThat(metadata.sequenceId()).isEqualTo(expected.getSequenceId());
            assertThat(metadata.publishTime()).isEqualTo(expected.getPublishTime());
            assertThat(metadata.deliverAtTime())
                    .isEqualTo(expected.hasDeliverAtTime() ? expected.getDeliverAtTime() : 0);
            assertThat(metadata.isBatch()).isEqualTo(expected.hasNumMessagesInBatch());
            assertThat(metadata.messagesInBatch()).isEqualTo(expected.getNumMessagesInBatch());
            assertThat(metadata.chunks())
                    .isEqualTo(expected.hasNumChunksFromMsg() ? expected.getNumChunksFromMsg() : 1);
            assertThat(metadata.chunkId()).isEqualTo(expected.hasChunkId() ? expected.getChunkId() : 0);
            assertThat(metadata.isTransactional())
                    .isEqualTo(expected.hasTxnidLeastBits() || expected.hasTxnidMostBits());
            assertThat(metadata.isPartitionKeyBase64()).isEqualTo(expected.isPartitionKeyB64Encoded());
            assertThat(metadata.partitionKey().isPresent()).isEqualTo(expected.hasPartitionKey());
            assertThat(metadata.orderingKey().isPresent()).isEqualTo(expected.hasOrderingKey());
        }
    }

    @Test
    void aSendOfEveryShapeIsReadAsGeneratedCodeReadsIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            BaseCommand command = randomSend();
            ByteBuf bytes = placed(command.getSerializedSize());
            command.writeTo(bytes);
            CommandSend expected = command.getSend();
            send.read(bytes, AT, bytes.writerIndex() - AT);
            assertThat(send.producerId()).isEqualTo(expected.getProducerId());
            assertThat(send.sequenceId()).isEqualTo(expected.getSequenceId());
            assertThat(send.highestSequenceId()).isEqualTo(expected.getHighestSequenceId());
            assertThat(send.isTransactional()).isEqualTo(expected.hasTxnidLeastBits() || expected.hasTxnidMostBits());
        }
    }

    @Test
    void aReceiptIsWrittenAsGeneratedCodeWritesIt() {
        ReceiptFrame frame = new ReceiptFrame();
        for (int round = 0; round < ROUNDS; round++) {
            BaseCommand command = new BaseCommand().setType(BaseCommand.Type.SEND_RECEIPT);
            CommandSendReceipt receipt =
                    command.setSendReceipt().setProducerId(number()).setSequenceId(number());
            receipt.setMessageId().setLedgerId(number()).setEntryId(number());
            receipt.setHighestSequenceId(number());
            ByteBuf written = Unpooled.buffer();
            int bytes = frame.fill(
                    receipt.getProducerId(),
                    receipt.getSequenceId(),
                    receipt.getHighestSequenceId(),
                    receipt.getMessageId().getLedgerId(),
                    receipt.getMessageId().getEntryId());
            frame.writeTo(written);
            assertThat(written.readableBytes()).isEqualTo(bytes);
            assertThat(ByteBufUtil.getBytes(written)).isEqualTo(WireFrames.frame(command));
        }
    }

    @Test
    void whatIsCutOffOrBrokenIsMalformedOrReadAndNothingBehindItIsTouched() {
        for (int round = 0; round < ROUNDS; round++) {
            MessageMetadata whole = randomMetadata();
            ByteBuf bytes = placed(whole.getSerializedSize());
            whole.writeTo(bytes);
            int length = bytes.writerIndex() - AT;
            bytes.setByte(AT + random.nextInt(length), random.nextInt(256));
            try {
                metadata.read(bytes, AT, random.nextInt(length + 1));
            } catch (MalformedFrameException e) {
                assertThat(e).hasMessageMatching("(a|message) .*");
            }
        }
    }

    @Test
    void numbersAndSizesThatCannotBeAreMalformed() {
        assertMalformed("behind 64 bits", 0x10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1);
        assertMalformed("within a number", 0x10, -1);
        assertMalformed("the number 0", 0, 1);
        assertMalformed("unknown wire type 3", 0x13);
        assertMalformed("where 1 are left", 0x0a, 2, 1);
        assertMalformed("18446744073709551615 bytes", 0x0a, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1);
        assertMalformed("where 2 are left", 0x0d, 1, 1);
        assertMalformed("without a producer name", 0x10, 1, 0x18, 1);
    }

    private void assertMalformed(String message, int... values) {
        ByteBuf bytes = placed(values.length);
        for (int value : values) {
            bytes.writeByte(value);
        }
        assertThatThrownBy(() -> metadata.read(bytes, AT, values.length))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining(message);
    }

    /** A buffer in which a message of so many bytes begins where no buffer does by itself. */
    private static ByteBuf placed(int bytes) {
        return Unpooled.buffer(AT + bytes, AT + bytes).writerIndex(AT);
    }

    private MessageMetadata randomMetadata() {
        MessageMetadata made = new MessageMetadata()
                .setProducerName("p".repeat(random.nextInt(20)))
                .setSequenceId(number())
                .setPublishTime(number());
        if (random.nextBoolean()) {
            made.setPartitionKey("k".repeat(random.nextInt(200)));
            made.setPartitionKeyB64Encoded(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            made.setOrderingKey(new byte[random.nextInt(200)]);
        }
        if (random.nextBoolean()) {
            made.setNumMessagesInBatch(random.nextInt()).setDeliverAtTime(number());
        }
        if (random.nextBoolean()) {
            made.setNumChunksFromMsg(random.nextInt())
                    .setChunkId(random.nextInt())
                    .setUuid("u");
        }
        if (random.nextInt(4) == 0) {
            made.setTxnidLeastBits(number());
        }
        if (random.nextInt(4) == 0) {
            made.setTxnidMostBits(number()).setEventTime(number()).setHighestSequenceId(number());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            made.addProperty().setKey("key" + i).setValue("value");
            made.addReplicateTo("cluster");
            made.addEncryptionKey().setKey("e").setValue(new byte[] {1});
        }
        return made;
    }

    private BaseCommand randomSend() {
        BaseCommand command = new BaseCommand().setType(BaseCommand.Type.SEND);
        CommandSend made = command.setSend().setProducerId(number()).setSequenceId(number());
        if (random.nextBoolean()) {
            made.setNumMessages(random.nextInt()).setIsChunk(true);
        }
        if (random.nextBoolean()) {
            made.setHighestSequenceId(number()).setMarker(true);
        }
        if (random.nextInt(4) == 0) {
            made.setTxnidLeastBits(number()).setTxnidMostBits(number());
        }
        if (random.nextInt(4) == 0) {
            made.setMessageId().setLedgerId(number()).setEntryId(number());
        }
        return command;
    }

    /** Of every length from one byte to ten. */
    private long number() {
        return random.nextLong() >>> random.nextInt(Long.SIZE);
    }
}
