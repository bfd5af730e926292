package io.millrace.broker.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.testkit.Behaviour;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Definitions of the largest size that is taken, made to take as long and as much memory as they can. */
@Timeout(60)
class SchemaCostTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(10);
    /** Bytes that are allocated for each byte of a definition of native Protobuf, its JSON included. */
    private static final int PROTOBUF_FACTOR = 50;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @Behaviour("REG-6")
    void messagesWithoutNamesInALongPackageCostTheirBytes() {
        String pack = "a".repeat(200_000);
        SchemaContent long200 = protobuf("", "x", pack, new byte[] {0x22, 0}, 290_000);
        assertRefusedInBounds(long200, PROTOBUF_FACTOR);
        SchemaContent none = protobuf("", "x", "", new byte[] {0x22, 0}, 370_000);
        assertRefusedInBounds(none, PROTOBUF_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void messagesOfWhichEachBeginsTheWantedNameCostTheirBytes() {
        byte[] named = {0x22, 3, 0x0a, 1, 'a'};
        assertRefusedInBounds(protobuf("", "a.".repeat(100_000) + "b", "", named, 110_000), PROTOBUF_FACTOR);
        byte[] nested = {0x22, 8, 0x0a, 1, 'a', 0x1a, 3, 0x0a, 1, 'a'};
        assertRefusedInBounds(protobuf("", "a.".repeat(100_000) + "b", "", nested, 55_000), PROTOBUF_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void messagesDeepWithinEachOtherCostTheirBytes() {
        byte[] message = field(1, "a".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 99; i++) {
            message = join(field(1, "a".getBytes(StandardCharsets.UTF_8)), field(3, message));
        }
        byte[] file = field(4, message);
        assertRefusedInBounds(protobuf("", "a.".repeat(100) + "b", "", file, 500_000 / file.length), PROTOBUF_FACTOR);
    }

    private static void assertRefusedInBounds(SchemaContent content, int factor) {
        assertInBounds(
                content.data().length,
                factor,
                () -> assertThatThrownBy(() -> SchemaRules.requireSound(content))
                        .isInstanceOf(BrokerException.class));
    }

    /** Runs it within a time and an allocation that definitions of that size may take. */
    private static void assertInBounds(int bytes, int factor, Runnable judging) {
        assertThat(bytes).isBetween(MAX_BYTES / 2, MAX_BYTES);
        long allocated = assertTimeoutPreemptively(LONG, () -> {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            judging.run();
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        });
        assertThat(allocated).isLessThan((long) factor * bytes);
    }

    /** A set of one file, with that many times the same bytes. */
    private static SchemaContent protobuf(String file, String root, String pack, byte[] part, int times) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(field(2, pack.getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < times; i++) {
            bytes.writeBytes(part);
        }
        String files = Base64.getEncoder().encodeToString(field(1, bytes.toByteArray()));
        String json = "{\"fileDescriptorSet\":\"" + files + "\",\"rootMessageTypeName\":\"" + root
                + "\",\"rootFileDescriptorName\":\"" + file + "\"}";
        return new SchemaContent(SchemaType.PROTOBUF_NATIVE, json.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static byte[] field(int number, byte[] value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(number << 3 | 2);
        int length = value.length;
        while (length >= 0x80) {
            bytes.write(length & 0x7f | 0x80);
            length >>>= 7;
        }
        bytes.write(length);
        bytes.writeBytes(value);
        return bytes.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(first);
        bytes.writeBytes(second);
        return bytes.toByteArray();
    }
}
