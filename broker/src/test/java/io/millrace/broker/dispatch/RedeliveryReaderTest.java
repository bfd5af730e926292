package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.stage.SubSinkInlet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedeliveryReaderTest {
    private static final int WAITING = 20_000;

    /** Each turn begins at the first of all that wait. */
    @Test
    void aTurnDuringAReadLooksAtFewOfThoseThatWait(@TempDir Path folder) throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder), new DiskFiles())) {
            TopicLog topic = log.openTopic("topic").toCompletableFuture().get(20, TimeUnit.SECONDS);
            RedeliveryQueue queue = new RedeliveryQueue();
            for (int i = 0; i < WAITING; i++) {
                queue.add(1, i, i);
            }
            Endless context = new Endless();
            Selector selector = oneConsumer();
            RedeliveryReader reader = new RedeliveryReader(topic, queue, null, null, context);
            reader.startPass();
            assertThat(reader.poll(selector, true)).isNull();
            assertThat(context.reads).isEqualTo(1);
            reader.startPass();
            assertThat(reader.poll(selector, true)).isNull();
            assertThat(reader.lookedUpTo()).isEqualTo(new Position(1, RedeliveryReader.MAX_LOOKED_AT_MEANWHILE - 1));
        }
    }

    /** It may have been too much for what memory there is. */
    @Test
    void aReadThatFailsIsFollowedByOneOfHalfAsMany(@TempDir Path folder) throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder), new DiskFiles())) {
            TopicLog topic = log.openTopic("topic").toCompletableFuture().get(20, TimeUnit.SECONDS);
            RedeliveryQueue queue = new RedeliveryQueue();
            for (int i = 0; i < WAITING; i++) {
                queue.add(1, i, i);
            }
            Endless context = new Endless();
            Selector selector = oneConsumer();
            ReadRetry retry = new ReadRetry("s", new Consumers(pending(), () -> 0, null), context);
            RedeliveryReader reader = new RedeliveryReader(topic, queue, retry, null, context);
            for (int asked = ForwardReader.MAX_ENTRIES; asked > 0; asked /= 2) {
                reader.startPass();
                assertThat(reader.poll(selector, true)).isNull();
                assertThat(reader.lookedUpTo()).isEqualTo(new Position(1, asked - 1));
                context.last.arrived(List.of(), new IOException("no memory, in this test"));
            }
            assertThat(context.reads).isEqualTo(7);
        }
    }

    private static PendingAcks pending() {
        return new PendingAcks();
    }

    /** One consumer takes every key. */
    private static Selector oneConsumer() {
        PendingAcks pending = pending();
        ConsumerOptions options = ConsumerOptions.of(1, "a", SubscriptionType.KEY_SHARED);
        Consumer consumer = new Consumer(new RecordingConsumer("a"), options, 0, pending, 0);
        consumer.flow(WAITING);
        Selector selector = new KeySharedDispatch(pending);
        selector.joined(consumer);
        return selector;
    }

    /** A dispatcher to which no read ever comes back. */
    private static final class Endless implements DispatcherContext {
        private int reads;
        private Arrival last = (entries, failure) -> {};

        @Override
        public void whenRead(CompletionStage<List<Entry>> read, Arrival arrival) {
            reads++;
            last = arrival;
        }

        @Override
        public SubSinkInlet<Position> openTailInlet() {
            throw new AssertionError("nothing joins the tail");
        }

        @Override
        public CompletionStage<?> runTailInto(SubSinkInlet<Position> inlet) {
            throw new AssertionError("nothing joins the tail");
        }

        @Override
        public void requestTurn() {}

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void later(Runnable task, Duration delay) {
            task.run();
        }

        @Override
        public <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome) {}

        @Override
        public void end() {}
    }
}
