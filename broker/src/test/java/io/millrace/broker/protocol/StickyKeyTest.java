package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.apache.pulsar.common.util.Murmur3_32Hash;
import org.junit.jupiter.api.Test;

class StickyKeyTest {
    private final StickyKey stickyKey = new StickyKey("wire");

    @Test
    void theHashIsMurmur3OfTheReferenceImplementation() {
        assertThat(murmur("")).isZero();
        assertThat(murmur("hello")).isEqualTo(0x248bfa47);
        assertThat(murmur("hello, world")).isEqualTo(0x149bbb7f);
        assertThat(murmur("The quick brown fox jumps over the lazy dog")).isEqualTo(0x2e4ff723);
    }

    @Test
    void keysHashAsPulsarsOwnClientsHashThem() {
        long seed = System.nanoTime();
        System.err.println("keysHashAsPulsarsOwnClientsHashThem seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] key = new byte[random.nextInt(40)];
            random.nextBytes(key);
            int pulsars = Murmur3_32Hash.getInstance().makeHash(key);
            assertThat(StickyKey.hash(key, 0, key.length))
                    .isEqualTo(Math.max(1, pulsars % 65_536))
                    .isBetween(1, 65_535);
        }
    }

    /** Hash 0 stands for none, so a consumer that claims it alone gets nothing: as with Pulsar. */
    @Test
    void aKeyWhoseHashWouldBeNoneHasTheFirst() {
        assertThat(murmur("k179888") & 0xFFFF).isZero();
        assertThat(hash("k179888")).isEqualTo(1);
        assertThat(murmur("k35981") & 0xFFFF).isEqualTo(65_535);
        assertThat(hash("k35981")).isEqualTo(65_535);
    }

    @Test
    void theOrderingKeyGoesBeforeThePartitionKeyAndThatBeforeNameAndSequence() throws Exception {
        MessageMetadata metadata = WireFrames.metadata(1_234_567_890_123L);
        assertThat(hash(metadata)).isEqualTo(hash("wire-1234567890123"));
        metadata.setPartitionKey("partition");
        assertThat(hash(metadata)).isEqualTo(hash("partition"));
        metadata.setOrderingKey("ordering".getBytes(StandardCharsets.UTF_8));
        assertThat(hash(metadata)).isEqualTo(hash("ordering"));
    }

    @Test
    void sequenceIdsOfEveryLengthAreWrittenAsDigits() throws Exception {
        for (long sequenceId : new long[] {0, 9, 10, 99, 100, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertThat(hash(WireFrames.metadata(sequenceId))).isEqualTo(hash("wire-" + sequenceId));
        }
    }

    @Test
    void aBase64PartitionKeyIsHashedDecoded() throws Exception {
        MessageMetadata metadata = WireFrames.metadata(0)
                .setPartitionKeyB64Encoded(true)
                .setPartitionKey(Base64.getEncoder().encodeToString(new byte[] {1, 2, 3}));
        assertThat(hash(metadata)).isEqualTo(StickyKey.hash(new byte[] {1, 2, 3}, 0, 3));
        metadata.setPartitionKey("%%%");
        assertThatThrownBy(() -> hash(metadata))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("Base64");
    }

    @Test
    void keysOfEveryLengthAreHashedWhole() throws Exception {
        for (int length : new int[] {0, 1, 63, 64, 65, 100, 1023, 1024, 1025, 50_000, 3}) {
            String key = "k".repeat(length);
            assertThat(hash(WireFrames.metadata(0).setPartitionKey(key))).isEqualTo(hash(key));
        }
    }

    private static int murmur(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return StickyKey.murmur3(bytes, 0, bytes.length);
    }

    private int hash(MessageMetadata metadata) throws MalformedFrameException {
        ByteBuf bytes = Unpooled.buffer();
        metadata.writeTo(bytes);
        MetadataFields fields = new MetadataFields();
        fields.read(bytes, 0, bytes.readableBytes());
        return stickyKey.hash(fields);
    }

    private static int hash(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return StickyKey.hash(bytes, 0, bytes.length);
    }
}
