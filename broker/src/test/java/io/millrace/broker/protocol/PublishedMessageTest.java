package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.EntryHeader;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PublishedMessageTest {
    private final PublishedMessage reader = new PublishedMessage();
    private final StickyKey stickyKey = new StickyKey("wire");

    @Test
    void theHeaderHoldsWhatDispatchNeeds() throws Exception {
        MessageMetadata metadata = WireFrames.metadata(7)
                .setNumMessagesInBatch(10)
                .setDeliverAtTime(1_800_000_000_000L)
                .setPartitionKey("k");
        EntryHeader header = header(WireFrames.message(metadata, "payload"));
        byte[] key = "k".getBytes(StandardCharsets.UTF_8);
        assertThat(header)
                .isEqualTo(new EntryHeader(
                        10, 1_700_000_000_000L, StickyKey.hash(key, 0, 1), 1_800_000_000_000L, EntryHeader.BATCHED));
    }

    @Test
    void aMessageWithoutBatchDelayOrChecksumIsReadToo() throws Exception {
        EntryHeader header = header(WireFrames.withoutChecksum(WireFrames.metadata(7), ""));
        assertThat(header.messageCount()).isEqualTo(1);
        assertThat(header.deliverAtMillis()).isZero();
        assertThat(header.isChunked()).isFalse();
    }

    @Test
    void chunksAreFlaggedWithTheirPlace() throws Exception {
        int message = StickyKey.hash(new byte[] {'u'}, 0, 1) << 16;
        assertThat(flags(0, 3)).isEqualTo(message | EntryHeader.CHUNKED | EntryHeader.FIRST_CHUNK);
        assertThat(flags(1, 3)).isEqualTo(message | EntryHeader.CHUNKED);
        assertThat(flags(2, 3)).isEqualTo(message | EntryHeader.CHUNKED | EntryHeader.LAST_CHUNK);
        assertThat(flags(0, 1)).isZero();
    }

    @Test
    @Behaviour("PRO-2")
    void anyFlippedBitBehindTheChecksumIsNoticed() {
        byte[] message = WireFrames.message(WireFrames.metadata(7), "payload");
        for (int bit = 2 * 8; bit < message.length * 8; bit++) {
            byte[] broken = message.clone();
            broken[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> header(broken))
                    .isInstanceOfSatisfying(
                            BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CHECKSUM));
        }
    }

    @Test
    @Behaviour("PRO-1")
    void metadataThatEndsTooEarlyOrDoesNotParseIsMalformed() {
        assertMalformed(new byte[] {0, 0});
        assertMalformed(new byte[] {0, 0, 1, 0, 1});
        assertMalformed(new byte[] {-1, -1, -1, -1, 1});
        assertMalformed(new byte[] {0, 0, 0, 3, 0x0a, 0x7f, 1});
        assertMalformed(new byte[] {0, 0, 0, 2, 0x10, 0x01});
    }

    @Test
    void aBatchOfNoMessagesIsRefused() {
        for (int count : new int[] {0, -1, 1 << 24}) {
            byte[] message = WireFrames.message(WireFrames.metadata(7).setNumMessagesInBatch(count), "x");
            assertThatThrownBy(() -> header(message))
                    .isInstanceOfSatisfying(
                            BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_ALLOWED))
                    .hasMessageContaining("" + count);
        }
    }

    private int flags(int chunk, int chunks) throws Exception {
        MessageMetadata metadata = WireFrames.metadata(7)
                .setUuid("u")
                .setNumChunksFromMsg(chunks)
                .setChunkId(chunk)
                .setTotalChunkMsgSize(100);
        return header(WireFrames.message(metadata, "part")).flags();
    }

    private void assertMalformed(byte[] message) {
        assertThatThrownBy(() -> header(message)).isInstanceOf(MalformedFrameException.class);
    }

    private EntryHeader header(byte[] message) throws MalformedFrameException {
        ByteBuf data = Unpooled.wrappedBuffer(message);
        EntryHeader header = reader.header(data, stickyKey);
        assertThat(data.readableBytes()).as("the data are left as they were").isEqualTo(message.length);
        return header;
    }
}
