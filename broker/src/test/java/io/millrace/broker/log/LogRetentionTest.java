package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogRetention.Kept;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogRetentionTest {
    /** A limit of 0 keeps nothing, whatever the other one is; a negative one is none. */
    @ParameterizedTest
    @CsvSource({
        "-1, -1, -1, -1, false",
        "0, 0, 0, 0, true",
        "0, -1, 0, -1, true",
        "-1, 0, -1, 0, true",
        "1, 1, 60000, 1048576, false",
        "-7, 3, -1, 3145728, false",
        "3, -7, 180000, -1, false"
    })
    void aPolicyOfMinutesAndMegabytesIsTheSameInMillisecondsAndBytes(
            long minutes, long megabytes, long millis, long bytes, boolean isNothing) {
        Kept kept = Kept.of(minutes, megabytes);
        assertThat(kept).isEqualTo(new Kept(millis, bytes));
        assertThat(kept.isNothing()).isEqualTo(isNothing);
    }
}
