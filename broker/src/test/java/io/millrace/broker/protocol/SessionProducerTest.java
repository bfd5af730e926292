package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.ProducerOptions;
import io.millrace.broker.topic.UnheardProducer;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session's producer whose answers come from the test, and whose event loop runs when the test says so. */
@Timeout(60)
class SessionProducerTest {
    private static final String PAYLOAD = "x".repeat(2_000);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final PublishMemory memory = new PublishMemory(1 << 20);
    private final Connection connection = new Connection(
            channel, SessionLimits.DEFAULTS, memory, ServerFixture.complaints(channel), MemoryBudget.ofThisProcess());
    private TopicsFixture topics;
    private SessionProducer producer;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        topics = new TopicsFixture(folder);
        producer = new SessionProducer(
                connection,
                new ProducerCommands(connection, topics.namespaces(), Duration.ofSeconds(30)),
                connection.handle(1, List.of()),
                "topic");
        producer.opened(topics.open("topic")
                .attach(new UnheardProducer(), ProducerOptions.unnamed())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS));
    }

    @AfterEach
    void close() {
        producer.close();
        channel.finishAndReleaseAll();
        topics.close();
    }

    @Test
    @Behaviour("PRO-6")
    void whoClosesTheProducerDoesNotTouchTheReceiptsThatTheAppendStageGathers() throws Exception {
        send(0);
        long sentBytes = memory.pendingBytes();
        producer.receipt(0, 0, new Position(1, 0));
        producer.closed(CloseReason.FENCED);
        channel.runPendingTasks();
        assertThat(memory.pendingBytes()).isEqualTo(sentBytes).isPositive();
        producer.flush();
        channel.runPendingTasks();
        assertThat(memory.pendingBytes()).isZero();
    }

    @Test
    @Behaviour("PRO-6")
    void aPublishThatItsOwnStageDropsIsAnsweredBesideTheReceiptsThatTheAppendStageGathers() throws Exception {
        send(0);
        long sentBytes = memory.pendingBytes();
        send(1);
        producer.receipt(0, 0, new Position(1, 0));
        producer.dropped(1, new BrokerException(ErrorKind.SERVICE_NOT_READY, "stopped"));
        channel.runPendingTasks();
        assertThat(memory.pendingBytes()).isEqualTo(sentBytes).isPositive();
        producer.flush();
        channel.runPendingTasks();
        assertThat(memory.pendingBytes()).isZero();
    }

    @Test
    @Behaviour("PRO-6")
    void aMessageThatCannotBeKeptIsNotCounted() throws Exception {
        channel.config().setAllocator(new WithoutMemory());
        assertThatThrownBy(() -> send(0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(memory.pendingBytes()).isZero();
        assertThat(connection.inFlight().isIdle()).isTrue();
        assertThat(producer.closing()).as("nothing is waited for").isTrue();
    }

    @Test
    @Behaviour("PRO-6")
    void whatWaitsForARateIsCountedApartUntilItIsAnswered() throws Exception {
        send(0);
        long sentBytes = memory.pendingBytes();
        throttled(true);
        send(1);
        assertThat(memory.unthrottled().pendingBytes()).isZero();
        assertThat(memory.throttled().pendingBytes()).isEqualTo(2 * sentBytes);
        throttled(false);
        assertThat(memory.unthrottled().pendingBytes()).isEqualTo(2 * sentBytes);
        assertThat(memory.throttled().pendingBytes()).isZero();
        throttled(true);
        producer.close();
        assertThat(memory.unthrottled().pendingBytes())
                .as("of a producer whose client has gone")
                .isZero();
        producer.receipt(0, 0, new Position(1, 0));
        producer.receipt(1, 1, new Position(1, 1));
        producer.flush();
        channel.runPendingTasks();
        assertThat(memory.pendingBytes()).isZero();
    }

    private void throttled(boolean isThrottled) {
        producer.throttled(isThrottled);
        channel.runPendingTasks();
    }

    /** Publishes a message that is a small part of what it was read with, so that it has to be copied. */
    private void send(long sequenceId) throws Exception {
        byte[] message = WireFrames.message(WireFrames.metadata(sequenceId), PAYLOAD);
        ByteBuf read = Unpooled.buffer(16 * message.length).writeBytes(message);
        try {
            producer.send(sequenceId, sequenceId, read.slice(), new PublishedMessage());
        } finally {
            read.release();
        }
    }

    /** Has nothing to give. */
    private static final class WithoutMemory extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("for the test");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("for the test");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
