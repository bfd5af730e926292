package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EntryHeaderTest {
    @Test
    void aMessageAloneHasNoPlaceInABatchUnlessItIsSaidToBeOne() {
        assertThat(new EntryHeader(1, 1, 7, 0, 0).lastBatchIndex()).isEqualTo(-1);
        assertThat(new EntryHeader(1, 1, 7, 0, EntryHeader.BATCHED).lastBatchIndex())
                .isZero();
        assertThat(new EntryHeader(2, 1, 7, 0, 0).lastBatchIndex()).isEqualTo(1);
    }

    @Test
    void aRangeOfOneEntryIsWrittenAsThatEntry() {
        assertThat(new EntryRange(3, 4, 4)).hasToString("3:4");
        assertThat(new EntryRange(3, 4, 5)).hasToString("3:4 to 3:5");
    }
}
