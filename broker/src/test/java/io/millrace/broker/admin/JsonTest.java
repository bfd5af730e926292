package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {
    @ParameterizedTest
    @CsvSource({
        "007, 7",
        "-007, -7",
        "000, 0",
        "' 3 ', 3",
        "123456789012345678, 123456789012345678",
        "true, true",
        "false, false",
        "0x7, \"0x7\"",
        "1234567890123456789, \"1234567890123456789\""
    })
    void aNumberAndATruthMayBeGivenAsATextAndANumberMayBeginWithZeros(String text, String read) {
        assertThat(Json.scalar(Json.parse(Json.text(text)))).hasToString(read);
    }
}
