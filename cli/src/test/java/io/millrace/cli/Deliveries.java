package io.millrace.cli;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * What one subscription has delivered of numbered lines, checked against what a broker promises over kills. A line is
 * known by its sequence id, a stored copy of it by its message id. An incarnation is the life of one broker process.
 *
 * <p><b>Threads</b>: the consumers' threads and the client's threads that complete acks, under one lock.
 */
final class Deliveries {
    private final String subscription;
    private final List<byte[]> lines;
    private final boolean ordered;
    private final Map<MessageId, Copy> repeats = new HashMap<>();
    private final MessageId[] firstIds;
    private final byte[] ackedIn;
    private int incarnation = 1;
    private int seen;
    private int settled;

    Deliveries(String subscription, List<byte[]> lines, boolean ordered) {
        this.subscription = subscription;
        this.lines = lines;
        this.ordered = ordered;
        this.firstIds = new MessageId[lines.size()];
        this.ackedIn = new byte[lines.size()];
    }

    /** A second stored copy of a line, and in which incarnation its ack had its receipt, 0 for none. */
    private static final class Copy {
        final int line;
        int ackedIn;

        Copy(int line) {
            this.line = line;
        }
    }

    /** Takes note of a message; fails when it is a wrong line, out of order, or was acknowledged to an earlier broker. */
    synchronized void received(Message<byte[]> message) {
        int line = Math.toIntExact(message.getSequenceId());
        MessageId id = message.getMessageId();
        if (!Arrays.equals(lines.get(line), message.getData())) {
            throw new AssertionError(subscription + ": line " + line + " came with other bytes, as " + id);
        }
        if (firstIds[line] == null) {
            if (ordered && line != seen) {
                throw new AssertionError(subscription + ": line " + line + " came first where " + seen + " was due: "
                        + (line > seen ? "lost or out of order, as " : "twice, as ") + id);
            }
            firstIds[line] = id;
            seen++;
        } else if (!firstIds[line].equals(id)) {
            repeats.computeIfAbsent(id, unused -> new Copy(line));
        }
        int acked = ackedIncarnation(line, id);
        if (acked > 0 && acked < incarnation) {
            throw new AssertionError(subscription + ": line " + line + " (" + id + ") came again to incarnation "
                    + incarnation + ", though its ack had its receipt in incarnation " + acked);
        }
    }

    /** Takes note of an ack receipt. */
    synchronized void acknowledged(int line, MessageId id) {
        Copy repeat = repeats.get(id);
        if (repeat != null) {
            repeat.ackedIn = repeat.ackedIn == 0 ? incarnation : repeat.ackedIn;
        } else if (ackedIn[line] == 0) {
            ackedIn[line] = (byte) incarnation;
            settled++;
        }
    }

    /** A new broker process begins, and nothing of the one before is on its way any more. */
    synchronized void nextIncarnation() {
        incarnation++;
    }

    synchronized boolean isComplete() {
        return seen == lines.size() && settled == lines.size();
    }

    /** The lines that were stored more than once. */
    synchronized int[] repeatedLines() {
        return repeats.values().stream()
                .mapToInt(copy -> copy.line)
                .distinct()
                .sorted()
                .toArray();
    }

    synchronized String describe() {
        int missing = firstMissing();
        return subscription + ": " + seen + " of " + lines.size() + " lines seen, " + settled
                + " acknowledged, the first missing is " + (missing < lines.size() ? missing : "none");
    }

    private int firstMissing() {
        int line = 0;
        while (line < firstIds.length && firstIds[line] != null) {
            line++;
        }
        return line;
    }

    private int ackedIncarnation(int line, MessageId id) {
        @Nullable Copy repeat = repeats.get(id);
        return repeat == null ? ackedIn[line] : repeat.ackedIn;
    }
}
