package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyFieldTest {
    @Test
    void fieldsAreSeparatedByRunsOfSpacesAndTabs() {
        assertThat(field(1, "one two")).isEqualTo("one");
        assertThat(field(2, "  one \t two\tthree")).isEqualTo("two");
        assertThat(field(3, "  one \t twö\tthrée ")).isEqualTo("thrée");
    }

    @Test
    void aLineWithFewerFieldsHasNoKey() {
        assertThat(field(1, "")).isNull();
        assertThat(field(1, " \t ")).isNull();
        assertThat(field(3, "one two ")).isNull();
    }

    private static String field(int number, String line) {
        return new KeyField(number).of(line.getBytes(StandardCharsets.UTF_8));
    }
}
