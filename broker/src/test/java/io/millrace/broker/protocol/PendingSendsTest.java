package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.testkit.Behaviour;
import org.junit.jupiter.api.Test;

class PendingSendsTest {
    private final BrokerException refusal = new BrokerException(ErrorKind.CHECKSUM, "test");

    private final PendingSends sends = new PendingSends();

    @Test
    void bytesComeBackInSendOrderHoweverManyWait() {
        int sent = 0;
        int answered = 0;
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < round % 40; i++) {
                sends.sent(sent++);
            }
            for (int i = 0; i < round % 37 && answered < sent; i++) {
                assertThat(sends.answered()).isEqualTo(answered++);
            }
        }
        while (answered < sent) {
            assertThat(sends.answered()).isEqualTo(answered++);
        }
        assertThat(sends.isEmpty()).isTrue();
        sends.sent(7);
        sends.sent(8);
        assertThat(sends.bytes()).isEqualTo(15);
        assertThat(sends.answered() + sends.answered()).isEqualTo(15);
        assertThat(sends.bytes()).isZero();
        assertThatThrownBy(sends::answered).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Behaviour("PRO-3")
    void aRefusedSendIsDueWhenEverySendBeforeItIsAnswered() {
        sends.sent(1);
        sends.sent(2);
        sends.refused(30, refusal);
        sends.sent(4);
        assertThat(sends.due()).isNull();
        sends.answered();
        assertThat(sends.due()).isNull();
        sends.answered();
        PendingSends.Refused due = sends.due();
        assertThat(due).isNotNull();
        assertThat(due.sequenceId()).isEqualTo(30);
        assertThat(sends.due()).isNull();
        assertThat(sends.isEmpty()).isFalse();
    }

    @Test
    void theRoomOfABurstIsGivenUpWhenAllIsAnswered() {
        int burst = 1_000;
        for (int i = 0; i < burst; i++) {
            sends.sent(i);
        }
        assertThat(sends.capacity()).isGreaterThanOrEqualTo(burst);
        for (int i = 0; i < burst; i++) {
            assertThat(sends.answered()).isEqualTo(i);
        }
        assertThat(sends.capacity()).isLessThan(burst / 10);
        sends.sent(5);
        assertThat(sends.answered()).isEqualTo(5);
    }
}
