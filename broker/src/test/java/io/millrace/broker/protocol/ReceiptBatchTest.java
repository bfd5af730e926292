package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiptBatchTest {
    private static final int ANSWERS = 200;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 17, 33})
    void everyAnswerIsKeptWhereverTheFailuresStand(int failureEvery) {
        ReceiptBatch batch = new ReceiptBatch(null);
        BrokerException failure = new BrokerException(ErrorKind.PERSISTENCE_ERROR, "full");
        for (int i = 0; i < ANSWERS; i++) {
            if (i % failureEvery == failureEvery - 1) {
                batch.failed(i, failure);
            } else {
                batch.receipt(i, i + 1, new Position(i + 2, i + 3));
            }
        }
        assertThat(batch.count()).isEqualTo(ANSWERS);
        for (int i = 0; i < ANSWERS; i++) {
            boolean failed = i % failureEvery == failureEvery - 1;
            assertThat(batch.sequenceId(i)).isEqualTo(i);
            assertThat(batch.failure(i)).isSameAs(failed ? failure : null);
            assertThat(batch.entryId(i)).isEqualTo(failed ? 0 : i + 3);
        }
    }
}
