package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.Position;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Answers to one producer's publishes, in order, passed from the topic's island to the connection's event loop. The
 * island fills it, then passes it on as a whole.
 */
final class ReceiptBatch implements Runnable {
    private static final int FIRST_CAPACITY = 16;
    private static final int FIELDS = 4;

    private final SessionProducer producer;
    private long[] fields = new long[FIRST_CAPACITY * FIELDS];
    private @Nullable BrokerException @Nullable [] failures;
    private int count;

    ReceiptBatch(SessionProducer producer) {
        this.producer = producer;
    }

    void receipt(long sequenceId, long highestSequenceId, Position position) {
        int at = grow();
        fields[at] = sequenceId;
        fields[at + 1] = highestSequenceId;
        fields[at + 2] = position.ledgerId();
        fields[at + 3] = position.entryId();
    }

    void failed(long sequenceId, BrokerException failure) {
        int index = count;
        int at = grow();
        fields[at] = sequenceId;
        @Nullable BrokerException[] all = failures;
        if (all == null || all.length <= index) {
            all = all == null
                    ? new BrokerException[fields.length / FIELDS]
                    : Arrays.copyOf(all, fields.length / FIELDS);
            failures = all;
        }
        all[index] = failure;
    }

    int count() {
        return count;
    }

    @Nullable
    BrokerException failure(int index) {
        return failures == null || index >= failures.length ? null : failures[index];
    }

    long sequenceId(int index) {
        return fields[index * FIELDS];
    }

    long highestSequenceId(int index) {
        return fields[index * FIELDS + 1];
    }

    long ledgerId(int index) {
        return fields[index * FIELDS + 2];
    }

    long entryId(int index) {
        return fields[index * FIELDS + 3];
    }

    @Override
    public void run() {
        producer.settle(this);
    }

    private int grow() {
        int at = count * FIELDS;
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * fields.length);
        }
        count++;
        return at;
    }
}
