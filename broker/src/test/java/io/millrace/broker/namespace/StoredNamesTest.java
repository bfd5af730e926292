package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.namespace.NameTable.Partitioned;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of names in the log, which folders have that were written before. */
final class StoredNamesTest {
    private static final Map<String, String> TEXTS = Map.of("b", "ß", "a", "");
    private static final String HEX = "00000002" + "0000000161" + "00000000" + "0000000162" + "00000002c39f";

    @Test
    void textsHaveTheBytesThatTheyAlwaysHad() {
        byte[] stored = HexFormat.of().parseHex("01" + HEX);
        assertThat(StoredNames.encode(TEXTS)).isEqualTo(stored);
        assertThat(StoredNames.decode("topic x", stored)).isEqualTo(TEXTS);
        assertThat(StoredNames.encode(Map.of())).isEqualTo(new byte[] {1, 0, 0, 0, 0});
    }

    @Test
    void partitionedTopicsHaveTheBytesThatTheyAlwaysHad() {
        byte[] stored = HexFormat.of().parseHex("02" + "00000007" + HEX);
        Partitioned topic = new Partitioned(7, TEXTS);
        assertThat(StoredNames.encode(topic)).isEqualTo(stored);
        assertThat(StoredNames.decodePartitioned("partitioned x", stored)).isEqualTo(topic);
        byte[] older = StoredNames.encode(Map.of("partitions", "7", "b", "ß", "a", ""));
        assertThat(StoredNames.decodePartitioned("partitioned x", older)).isEqualTo(topic);
    }

    @Test
    void aValueThatIsCutShortIsNamed() {
        byte[] texts = StoredNames.encode(TEXTS);
        byte[] partitioned = StoredNames.encode(new Partitioned(7, TEXTS));
        for (int bytes = 0; bytes < texts.length; bytes++) {
            byte[] cut = Arrays.copyOf(texts, bytes);
            assertThatThrownBy(() -> StoredNames.decode("topic x", cut))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'topic x' is cut short");
        }
        for (int bytes = 0; bytes < partitioned.length; bytes++) {
            byte[] cut = Arrays.copyOf(partitioned, bytes);
            assertThatThrownBy(() -> StoredNames.decodePartitioned("partitioned x", cut))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'partitioned x' is cut short");
        }
    }

    /** Damage in a length must not take the heap. */
    @Test
    void aTextThatIsLongerThanTheValueIsRefusedBeforeItIsMade() {
        byte[] tooLong = HexFormat.of().parseHex("01" + "00000001" + "7fffffff" + "61");
        byte[] negative = HexFormat.of().parseHex("01" + "00000001" + "ffffffff" + "61");
        for (byte[] stored : new byte[][] {tooLong, negative}) {
            assertThatThrownBy(() -> StoredNames.decode("topic x", stored))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'topic x' is cut short");
        }
    }
}
