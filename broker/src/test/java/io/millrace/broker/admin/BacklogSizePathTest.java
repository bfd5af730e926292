package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogSizePathTest {
    private static final TopicFacts FACTS = new TopicFacts(
            "t",
            List.of(
                    new TopicFacts.LedgerFacts(3, 4, 400),
                    new TopicFacts.LedgerFacts(7, 0, 0),
                    new TopicFacts.LedgerFacts(9, 2, 100)),
            List.of(),
            new Position(9, 1),
            new TopicFacts.Use(false, false, 0, 0, new TopicFacts.Times(0, 0, 0)));

    private static long after(long ledger, long entry) {
        return BacklogSizePath.bytesAfter(FACTS, new Position(ledger, entry));
    }

    @Test
    void whatLiesBehindAPositionIsCounted() {
        assertThat(after(-1, -1)).isEqualTo(500);
        assertThat(after(3, -1)).isEqualTo(500);
        assertThat(after(3, 0)).isEqualTo(400);
        assertThat(after(3, 3)).isEqualTo(100);
        assertThat(after(7, 5)).isEqualTo(100);
        assertThat(after(9, 0)).isEqualTo(50);
        assertThat(after(9, 1)).isZero();
        assertThat(after(3, Long.MAX_VALUE)).isEqualTo(100);
        assertThat(after(Long.MAX_VALUE, 0)).isZero();
    }
}
