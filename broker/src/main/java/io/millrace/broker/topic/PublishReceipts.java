package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The publishes of a topic that wait for their answer, in order of arrival. A publish is answered when all before it
 * are answered and it is durable or was refused.
 */
final class PublishReceipts {
    private final ArrayDeque<Unanswered> unanswered = new ArrayDeque<>(0);
    private final List<Outbox> unflushed = new ArrayList<>(0);
    private Position durable = Position.BEFORE_ALL;

    /** A publish, and its position unless it was refused. */
    private record Unanswered(Publish publish, @Nullable Position position) {}

    void awaitDurable(Publish publish, Position position) {
        unanswered.add(new Unanswered(publish, position));
    }

    /** Answers it at once unless others must be answered first. */
    void refused(Publish publish) {
        unanswered.add(new Unanswered(publish, null));
        if (unanswered.size() == 1) {
            settle(durable, position -> {});
        }
    }

    /**
     * The log took this publish and all after it in its ledger, and cannot store them: each is answered in its turn.
     * The log releases their data.
     */
    void refusedFrom(Position from, BrokerException refusal) {
        int count = unanswered.size();
        for (int i = 0; i < count; i++) {
            Unanswered next = unanswered.remove();
            Position position = next.position();
            boolean isMeant =
                    position != null && position.ledgerId() == from.ledgerId() && position.entryId() >= from.entryId();
            unanswered.add(isMeant ? new Unanswered(next.publish().withRefusal(refusal), null) : next);
        }
        settle(durable, position -> {});
    }

    /**
     * Answers the publishes that are durable now, and the refused ones between them; passes on each durable position.
     */
    void settle(Position durableUpTo, Consumer<Position> onDurable) {
        durable = durableUpTo;
        for (Unanswered next = unanswered.peek(); next != null; next = unanswered.peek()) {
            Position position = next.position();
            if (position == null) {
                fail(next.publish(), refusalOf(next.publish()));
            } else if (position.compareTo(durableUpTo) <= 0) {
                receipt(next.publish(), position);
                onDurable.accept(position);
            } else {
                break;
            }
            unanswered.remove();
        }
        flush();
    }

    /** Fails everything that waits, refused or not. */
    void failAll(BrokerException failure) {
        for (Unanswered next : unanswered) {
            fail(next.publish(), next.position() == null ? refusalOf(next.publish()) : failure);
        }
        unanswered.clear();
        flush();
    }

    boolean isEmpty() {
        return unanswered.isEmpty();
    }

    private void receipt(Publish publish, Position position) {
        PublishRequest request = publish.request();
        publish.outbox().link.receipt(request.sequenceId(), request.highestSequenceId(), position);
        touch(publish.outbox());
    }

    private void fail(Publish publish, BrokerException failure) {
        publish.outbox().link.failed(publish.request().lastSequenceId(), failure);
        touch(publish.outbox());
    }

    private static BrokerException refusalOf(Publish publish) {
        BrokerException refusal = publish.refusal();
        if (refusal == null) {
            throw new IllegalStateException("a publish without a position was not refused either: " + publish);
        }
        return refusal;
    }

    private void touch(Outbox outbox) {
        if (!outbox.unflushed) {
            outbox.unflushed = true;
            unflushed.add(outbox);
        }
    }

    private void flush() {
        for (Outbox outbox : unflushed) {
            outbox.unflushed = false;
            outbox.link.flush();
        }
        unflushed.clear();
    }
}
