package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.testkit.Behaviour;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPatternTest {
    private static final String NAME = "persistent://public/default/orders";

    @ParameterizedTest
    @CsvSource({
        "persistent://public/default/ord.*, true",
        "public/default/ord.*, true",
        "non-persistent://public/default/ord.*, true",
        "^persistent://public/default/(orders|bills)$, true",
        "public/default/ord, false",
        "ord.*, false",
        "public/default/orders-partition-1, false",
        ".*, true"
    })
    @Behaviour("NS-8")
    void theNameIsMatchedWithoutSchemeAndPartitionAsAWhole(String text, boolean isMatch) {
        TopicPattern pattern = TopicPattern.of(text);
        assertThat(pattern.matches(NAME)).isEqualTo(isMatch);
        assertThat(pattern.matches(NAME + "-partition-12")).isEqualTo(isMatch);
        assertThat(pattern.matches("non-" + NAME)).isEqualTo(isMatch);
    }

    @Test
    @Behaviour("NS-8")
    void aSchemeOfNoTopicIsRefused() {
        assertThatThrownBy(() -> TopicPattern.of("http://public/default/x")).isInstanceOf(BrokerException.class);
    }

    /** Of the first each character takes a second in a matcher that goes back, of the others gigabytes to compile. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((((a{100}){100}){100}){100})",
                "(a{1,999}){1,999}",
                "a{9999999}",
                "(?=a)b",
                "(a)\\1",
                "(",
                "(\\pL\\PN){9}"
            })
    @Behaviour("NS-9")
    void whatWouldTakeTooLongOrIsNotOfRe2IsNotMatchedHere(String text) {
        assertThat(TopicPattern.of(text)).isNull();
    }

    @Test
    @Behaviour("NS-9")
    void noPatternTakesLongerThanItsSizeTimesTheName() {
        String name = "persistent://public/default/" + "a".repeat(990) + "!";
        for (String text : List.of(
                "public/default/(a+)+b",
                "public/default/(a|aa)+b",
                "public/default/((a*)*)*b",
                "(.*)*(.*)*(.*)*x",
                "(.{0,30})*x")) {
            TopicPattern pattern = TopicPattern.of(text);
            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                assertThat(pattern.matches(name)).isFalse();
            }
            assertThat(System.nanoTime() - start).as(text).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    @Test
    @Behaviour("NS-8")
    void theHashIsThatOfPulsar() {
        assertThat(TopicList.hash(List.of())).isEqualTo("00000000");
        assertThat(TopicList.hash(List.of("persistent://public/default/plain"))).isEqualTo("9738806f");
        assertThat(TopicList.hash(List.of("persistent://public/default/r1"))).isEqualTo("56899ebf");
        assertThat(TopicList.hash(List.of("persistent://public/default/r1", "persistent://public/default/r2")))
                .isEqualTo("aa725b11");
    }
}
