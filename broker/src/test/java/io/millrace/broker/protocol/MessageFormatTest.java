package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.wire.CompressionType;
import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** What clients say of their messages is no reason to take memory for it. */
final class MessageFormatTest {
    @Test
    void aMessageThatIsSaidToBeHugeIsRefused() {
        for (int bytes : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 1 << 30}) {
            ByteBuf entry = compressed(bytes, deflated("few"));
            assertRefused(entry, ErrorKind.UNSUPPORTED, "when it is not compressed");
        }
    }

    @Test
    void aPartOfABatchThatIsSaidToBeLongerThanWhatThereIsIsRefused() {
        for (int bytes : new int[] {Integer.MAX_VALUE, -1, 4}) {
            ByteBuf part = Unpooled.buffer().writeInt(0);
            io.millrace.wire.SingleMessageMetadata single =
                    new io.millrace.wire.SingleMessageMetadata().setPayloadSize(bytes);
            part.setInt(0, single.getSerializedSize());
            single.writeTo(part);
            part.writeBytes("few".getBytes(StandardCharsets.UTF_8));
            byte[] payload = new byte[part.readableBytes()];
            part.readBytes(payload);
            ByteBuf entry = entry(WireFrames.metadata(1).setNumMessagesInBatch(1), payload);
            assertThatThrownBy(() -> MessageFormat.messages(entry))
                    .isInstanceOfSatisfying(
                            BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_ALLOWED));
        }
    }

    @Test
    void aCompressedMessageIsRead() {
        String text = "again and again ".repeat(1_000);
        ByteBuf entry = compressed(text.length(), deflated(text));
        assertThat(new String(MessageFormat.contents(entry).payload(), StandardCharsets.UTF_8))
                .isEqualTo(text);
        assertThat(MessageFormat.messages(entry).get(0).payload()).asString().isEqualTo(text);
    }

    private static void assertRefused(ByteBuf entry, ErrorKind kind, String reason) {
        assertThatThrownBy(() -> MessageFormat.contents(entry))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> MessageFormat.messages(entry)).hasMessageContaining(reason);
    }

    private static ByteBuf compressed(int plainBytes, byte[] payload) {
        return entry(
                WireFrames.metadata(1).setCompression(CompressionType.ZLIB).setUncompressedSize(plainBytes), payload);
    }

    private static ByteBuf entry(MessageMetadata metadata, byte[] payload) {
        ByteBuf entry = Unpooled.buffer().writeInt(metadata.getSerializedSize());
        metadata.writeTo(entry);
        return entry.writeBytes(payload);
    }

    private static byte[] deflated(String text) {
        Deflater deflater = new Deflater();
        deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
        deflater.finish();
        byte[] bytes = new byte[text.length() + 100];
        int length = deflater.deflate(bytes);
        deflater.end();
        return java.util.Arrays.copyOf(bytes, length);
    }
}
