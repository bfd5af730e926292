package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AckReceiptsTest {
    private final AckReceipts receipts = new AckReceipts();

    @Test
    @Behaviour("LOG-1")
    void aReceiptWaitsUntilItsOwnChangeIsDurable() {
        CompletableFuture<Void> first = ask(1);
        CompletableFuture<Void> second = ask(2);
        assertThat(first).isNotDone();
        receipts.durable(1);
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        receipts.durable(5);
        assertThat(second).isCompleted();
        assertThat(receipts.isSettled()).isTrue();
    }

    @Test
    @Behaviour({"LOG-1", "ACK-5"})
    void aRepeatedAcknowledgementWaitsForTheFirstOnesChange() {
        CompletableFuture<Void> first = ask(1);
        CompletableFuture<Void> repeated = new CompletableFuture<>();
        receipts.ask(repeated);
        receipts.asLogged();
        assertThat(repeated).isNotDone();
        receipts.durable(1);
        assertThat(first).isCompleted();
        assertThat(repeated).isCompleted();
    }

    @Test
    @Behaviour("LOG-2")
    void aFailedLogFailsWhoStillWaitsAndNobodyElse() {
        CompletableFuture<Void> first = ask(1);
        CompletableFuture<Void> second = ask(2);
        receipts.durable(1);
        receipts.fail(new BrokerException(ErrorKind.PERSISTENCE_ERROR, "the disk is gone"));
        assertThat(first).isCompleted();
        assertThat(OneSubscription.failure(second).kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR);
    }

    private CompletableFuture<Void> ask(long number) {
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        receipts.ask(receipt);
        receipts.logged(number);
        receipts.asLogged();
        return receipt;
    }
}
