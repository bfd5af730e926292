package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.testkit.Behaviour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void aNonPersistentTopicIsAnotherOne() {
        TopicName name = TopicName.parse("non-persistent://public/default/x");
        assertThat(name.isPersistent()).isFalse();
        assertThat(name.full()).isEqualTo("non-persistent://public/default/x");
        assertThat(name).isNotEqualTo(TopicName.parse("x"));
    }

    @Test
    void aNameWithAClusterIsRefusedByName() {
        assertThatThrownBy(() -> TopicName.parse("persistent://tenant/cluster/namespace/x"))
                .hasMessageContaining("version 1");
    }

    @ParameterizedTest
    @CsvSource({
        "x-partition-0, 0, x",
        "x-partition-12, 12, x",
        "x-partition-2147483647, 2147483647, x",
        "x-partition-1-partition-2, 2, x-partition-1",
        "x-partition-2147483648, -1, x-partition-2147483648",
        "x-partition-01, -1, x-partition-01",
        "x-partition--1, -1, x-partition--1",
        "x-partition-, -1, x-partition-",
        "x-partition-1-DLQ, -1, x-partition-1-DLQ",
        "x-partition-+1, -1, x-partition-+1",
        "-partition-1, -1, -partition-1"
    })
    @Behaviour("NS-5")
    void aPartitionIsNamedAsPulsarNamesIt(String text, int partition, String whole) {
        TopicName name = TopicName.parse(text);
        assertThat(name.partition()).isEqualTo(partition);
        assertThat(name.isPartition()).isEqualTo(partition >= 0);
        assertThat(name.whole()).isEqualTo(TopicName.parse(whole));
        if (name.isPartition()) {
            assertThat(name.whole().partition(partition)).isEqualTo(name);
        }
    }

    private static void assertKind(String text, ErrorKind kind) {
        assertThatThrownBy(() -> TopicName.parse(text))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
