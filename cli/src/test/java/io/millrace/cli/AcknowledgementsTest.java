package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
    private final List<CompletableFuture<Void>> receipts = new ArrayList<>();
    private long connection = 1;
    private final Acknowledgements acknowledgements = new Acknowledgements(
            ids -> {
                receipts.add(new CompletableFuture<>());
                return receipts.get(receipts.size() - 1);
            },
            () -> connection);

    @Test
    void aPrintedMessageIsKnownUntilItsReceipt() {
        acknowledgements.add(List.of(MessageId.earliest, MessageId.latest));
        assertThat(acknowledgements.contains(MessageId.earliest)).isTrue();
        receipts.get(0).complete(null);
        acknowledgements.settle();
        assertThat(acknowledgements.contains(MessageId.earliest)).isFalse();
        assertThat(acknowledgements.count()).isZero();
    }

    @Test
    void aLostAckIsSentAgainUntilItHasItsReceipt() {
        acknowledgements.add(List.of(MessageId.earliest));
        receipts.get(0).completeExceptionally(new IllegalStateException("connection lost"));
        acknowledgements.await(() -> receipts.size() > 1);
        assertThat(acknowledgements.count()).isOne();
        receipts.get(1).complete(null);
        acknowledgements.await(() -> false);
        assertThat(acknowledgements.count()).isZero();
    }

    @Test
    void aReceiptThatComesOnAnotherConnectionDoesNotCount() {
        acknowledgements.add(List.of(MessageId.earliest));
        connection = 2;
        receipts.get(0).complete(null);
        acknowledgements.await(() -> receipts.size() > 1);
        assertThat(acknowledgements.count()).isOne();
        receipts.get(1).complete(null);
        acknowledgements.await(() -> false);
        assertThat(acknowledgements.count()).isZero();
    }

    @Test
    void nothingIsAcknowledgedWithoutAConnection() {
        connection = ConnectionStamp.NONE;
        acknowledgements.add(List.of(MessageId.earliest));
        acknowledgements.settle();
        assertThat(receipts).isEmpty();
        assertThat(acknowledgements.count()).isOne();
    }
}
