package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TriesTest {
    private static void tryThese(IntStream counts) throws Exception {
        var next = counts.iterator();
        Tries.mostlyAtMost(1, next::next);
    }

    @Test
    void triesThatAreSpoiltNowAndThenAreOutvoted() {
        assertThatCode(() -> tryThese(IntStream.of(0, 1, 0, 0))).doesNotThrowAnyException();
        assertThatCode(() -> tryThese(IntStream.of(9, 0, 1, 0, 0, 0))).doesNotThrowAnyException();
        assertThatCode(() -> tryThese(IntStream.of(0, 9, 0, 9, 0, 0, 1, 0))).doesNotThrowAnyException();
    }

    @Test
    void whatIsTooMuchMostlyOrEveryOtherTimeFails() {
        assertThatThrownBy(() -> tryThese(IntStream.of(9, 9, 9, 9))).hasMessageContaining("[9, 9, 9, 9]");
        assertThatThrownBy(() -> tryThese(IntStream.of(0, 0, 2, 2, 2, 2, 2, 2))).hasMessageContaining("[0, 0, 2");
        assertThatThrownBy(() -> tryThese(IntStream.range(0, 24).map(i -> i % 2 == 0 ? 0 : 9)))
                .hasMessageContaining("[0, 9, 0, 9");
    }
}
