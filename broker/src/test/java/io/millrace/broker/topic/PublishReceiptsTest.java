package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishReceiptsTest {
    private final PublishReceipts receipts = new PublishReceipts();
    private final List<String> told = new ArrayList<>();
    private final Outbox first = new Outbox(new Told("a"), new PublishCounts());
    private final Outbox second = new Outbox(new Told("b"), new PublishCounts());

    @Test
    @Behaviour("LOG-1")
    void nothingIsToldBeforeItIsDurable() {
        receipts.awaitDurable(publish(first, 1), position(0));
        receipts.settle(Position.BEFORE_ALL, position -> told.add("durable " + position));
        assertThat(told).isEmpty();
        receipts.settle(position(0), position -> told.add("durable " + position));
        assertThat(told).containsExactly("a receipt 1", "durable 0:0", "a flush");
        assertThat(receipts.isEmpty()).isTrue();
    }

    @Test
    @Behaviour("PRO-3")
    void aRefusalWaitsForTheReceiptsBeforeIt() {
        receipts.awaitDurable(publish(first, 1), position(0));
        receipts.refused(refused(first, 2));
        receipts.awaitDurable(publish(first, 3), position(1));
        assertThat(told).isEmpty();
        receipts.settle(position(0), position -> {});
        assertThat(told).containsExactly("a receipt 1", "a failed 2", "a flush");
        receipts.settle(position(1), position -> {});
        assertThat(told).endsWith("a receipt 3", "a flush");
    }

    @Test
    @Behaviour({"LOG-10", "PRO-3"})
    void whatWasTakenAndCannotBeStoredIsRefusedInItsTurn() {
        receipts.awaitDurable(publish(first, 1), position(0));
        receipts.awaitDurable(publish(first, 2), position(1));
        receipts.awaitDurable(publish(second, 3), position(2));
        receipts.awaitDurable(publish(first, 4), new Position(1, 0));
        receipts.refusedFrom(position(1), new BrokerException(ErrorKind.PERSISTENCE_ERROR, "full"));
        assertThat(told).isEmpty();
        receipts.settle(position(0), position -> told.add("durable " + position));
        assertThat(told)
                .containsExactly("a receipt 1", "durable 0:0", "a failed 2", "b failed 3", "a flush", "b flush");
        receipts.settle(new Position(1, 0), position -> {});
        assertThat(told).endsWith("a receipt 4", "a flush");
        assertThat(receipts.isEmpty()).isTrue();
    }

    @Test
    void aRefusalWithNothingBeforeItIsToldAtOnce() {
        receipts.refused(refused(first, 1));
        assertThat(told).containsExactly("a failed 1", "a flush");
    }

    @Test
    void eachTouchedLinkIsFlushedOnce() {
        receipts.awaitDurable(publish(first, 1), position(0));
        receipts.awaitDurable(publish(second, 1), position(1));
        receipts.awaitDurable(publish(first, 2), position(2));
        receipts.settle(position(2), position -> {});
        assertThat(told).containsExactly("a receipt 1", "b receipt 1", "a receipt 2", "a flush", "b flush");
    }

    @Test
    @Behaviour("LOG-2")
    void aFailureIsToldToAllThatWaitInOrder() {
        receipts.awaitDurable(publish(first, 1), position(0));
        receipts.refused(refused(first, 2));
        receipts.failAll(new BrokerException(ErrorKind.PERSISTENCE_ERROR, "the disk is gone"));
        assertThat(told).containsExactly("a failed 1", "a failed 2", "a flush");
        assertThat(receipts.isEmpty()).isTrue();
    }

    private static Position position(long entryId) {
        return new Position(0, entryId);
    }

    private static Publish publish(Outbox outbox, long sequenceId) {
        EntryHeader header = new EntryHeader(1, 0, 0, 0, 0);
        return new Publish(outbox, new PublishRequest(sequenceId, sequenceId, header, Unpooled.buffer()), null);
    }

    private static Publish refused(Outbox outbox, long sequenceId) {
        return publish(outbox, sequenceId).refused(new BrokerException(ErrorKind.NOT_ALLOWED, "no"));
    }

    private final class Told implements ProducerLink {
        private final String name;

        Told(String name) {
            this.name = name;
        }

        @Override
        public void receipt(long sequenceId, long highestSequenceId, Position position) {
            told.add(name + " receipt " + sequenceId);
        }

        @Override
        public void failed(long sequenceId, BrokerException failure) {
            told.add(name + " failed " + sequenceId);
        }

        @Override
        public void dropped(long sequenceId, BrokerException failure) {
            throw new AssertionError("not the append stage's to tell");
        }

        @Override
        public void flush() {
            told.add(name + " flush");
        }

        @Override
        public void closed(CloseReason reason) {
            throw new AssertionError("not asked for");
        }
    }
}
