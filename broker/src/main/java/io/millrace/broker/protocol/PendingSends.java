package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one producer that have no answer yet: the bytes of those passed to the topic, in send order, and the
 * sends refused before that, each of which is answered only when all before it are. Single-threaded.
 */
final class PendingSends {
    private static final int FIRST_CAPACITY = 16;
    /** A larger one is given up when all is answered. */
    private static final int KEPT_CAPACITY = 256;

    private final ArrayDeque<Refused> refused = new ArrayDeque<>();
    private int[] bytes = new int[FIRST_CAPACITY];
    private long sent;
    private long answered;
    private long pendingBytes;

    /** A send that never reached the topic. */
    record Refused(long afterSends, long sequenceId, BrokerException refusal) {}

    void sent(int messageBytes) {
        int capacity = bytes.length;
        if (sent - answered == capacity) {
            int[] larger = new int[2 * capacity];
            for (long i = answered; i < sent; i++) {
                larger[(int) (i & (2L * capacity - 1))] = bytes[(int) (i & (capacity - 1))];
            }
            bytes = larger;
        }
        bytes[(int) (sent & (bytes.length - 1))] = messageBytes;
        sent++;
        pendingBytes += messageBytes;
    }

    /** The oldest send has its answer; returns how many bytes it had. */
    int answered() {
        if (answered == sent) {
            throw new IllegalStateException("an answer to a send that was never made, after " + sent + " of them");
        }
        int messageBytes = bytes[(int) (answered & (bytes.length - 1))];
        answered++;
        pendingBytes -= messageBytes;
        if (answered == sent && bytes.length > KEPT_CAPACITY) {
            bytes = new int[FIRST_CAPACITY];
        }
        return messageBytes;
    }

    /** For how many sends there is room at once. */
    int capacity() {
        return bytes.length;
    }

    void refused(long sequenceId, BrokerException refusal) {
        refused.add(new Refused(sent, sequenceId, refusal));
    }

    /** The oldest refused send, once every send before it has its answer. */
    @Nullable
    Refused due() {
        Refused oldest = refused.peek();
        return oldest != null && oldest.afterSends() <= answered ? refused.poll() : null;
    }

    /** Sends that went to the topic and have no answer. */
    int count() {
        return (int) (sent - answered);
    }

    /** Bytes of the sends that went to the topic and have no answer. */
    long bytes() {
        return pendingBytes;
    }

    /** Drops the refused sends that are not answered yet; returns how many there were. */
    int forgetRefused() {
        int forgotten = refused.size();
        refused.clear();
        return forgotten;
    }

    boolean isEmpty() {
        return sent == answered && refused.isEmpty();
    }
}
