package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.Test;

class KeyFieldTest {
    @Test
    void fieldsAreSeparatedByRunsOfSpacesAndTabs() {
        assertThat(key(1, "one two")).containsExactly("key one");
        assertThat(key(2, "  one \t two\tthree")).containsExactly("key two");
        assertThat(key(3, "  one \t twö\tthrée ")).containsExactly("key thrée");
    }

    @Test
    void aLineWithFewerFieldsHasNoKey() {
        assertThat(key(1, "")).isEmpty();
        assertThat(key(1, " \t ")).isEmpty();
        assertThat(key(3, "one two ")).isEmpty();
    }

    /** As texts two of them would be the same key. */
    @Test
    void aFieldThatIsNoTextIsAKeyInBytes() {
        assertThat(key(2, new byte[] {'a', ' ', (byte) 0xe4})).containsExactly("keyBytes 5A==");
        assertThat(key(2, new byte[] {'a', ' ', (byte) 0xf6})).containsExactly("keyBytes 9g==");
    }

    private static List<String> key(int number, String line) {
        return key(number, line.getBytes(StandardCharsets.UTF_8));
    }

    /** What a message is told of its key. */
    @SuppressWarnings("unchecked")
    private static List<String> key(int number, byte[] line) {
        List<String> told = new ArrayList<>();
        TypedMessageBuilder<byte[]> message = (TypedMessageBuilder<byte[]>) Proxy.newProxyInstance(
                TypedMessageBuilder.class.getClassLoader(),
                new Class<?>[] {TypedMessageBuilder.class},
                (proxy, method, arguments) -> {
                    Object key = arguments[0];
                    String text =
                            key instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : key.toString();
                    told.add(method.getName() + ' ' + text);
                    return proxy;
                });
        new KeyField(number).addTo(message, line);
        return told;
    }
}
