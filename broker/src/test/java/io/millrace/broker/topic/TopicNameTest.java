package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNameTest {
    @Test
    void theThreeFormsNameTheSameTopic() {
        TopicName name = TopicName.parse("persistent://public/default/orders");
        assertThat(TopicName.parse("orders")).isEqualTo(name);
        assertThat(TopicName.parse("public/default/orders")).isEqualTo(name);
        assertThat(name.full()).isEqualTo("persistent://public/default/orders");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a/b",
                "a/b/c/d",
                "persistent://x",
                "persistent://a//c",
                "persistent://a/b/",
                "http://a/b/c",
                "te nant/ns/x",
                "t/n/x\u0000"
            })
    void aMalformedNameIsRefused(String text) {
        assertKind(text, ErrorKind.INVALID_TOPIC_NAME);
    }

    @Test
    void anEndlessNameIsRefused() {
        assertKind("x".repeat(2_000), ErrorKind.INVALID_TOPIC_NAME);
    }

    @Test
    void aNonPersistentTopicIsUnsupported() {
        assertKind("non-persistent://public/default/x", ErrorKind.UNSUPPORTED);
    }

    private static void assertKind(String text, ErrorKind kind) {
        assertThatThrownBy(() -> TopicName.parse(text))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
