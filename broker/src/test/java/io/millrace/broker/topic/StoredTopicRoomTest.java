package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.StreamRuntime;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics that are stored, where the heap has no room for more of them. */
@Timeout(60)
class StoredTopicRoomTest {
    private static final int TOPICS = 100;
    private static final long HEAP_BYTES = 20_000;
    private static final long PROPERTIES_HEAP_BYTES = 7_000_000;

    @Test
    @Behaviour("PRO-14")
    void aTopicTooManyIsRefusedAndThoseThatAreStoredOpen(@TempDir Path folder) throws Exception {
        try (OpenTopics open = new OpenTopics(folder)) {
            for (int i = 0; i < TOPICS; i++) {
                RecordingProducer producer =
                        RecordingProducer.attachedTo(open.open("topic-" + i), ProducerOptions.unnamed());
                open.publish(producer, 0, "kept");
                assertThat(producer.nextAnswer().failure()).isNull();
            }
        }
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 3).withUnpackedTopics(1);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles());
                StreamRuntime runtime = StreamRuntime.create()) {
            awaitStored(log);
            Topics topics = Topics.start(
                    runtime, log, TopicLimits.DEFAULTS, InstantSource.system(), new MemoryBudget(HEAP_BYTES));
            assertThatThrownBy(() -> open(topics, "another"))
                    .rootCause()
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("no memory for more topics")
                    .hasMessageContaining("-Xmx")
                    .extracting(refusal -> ((BrokerException) refusal).kind())
                    .isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
            assertThat(open(topics, "topic-1").name().local()).isEqualTo("topic-1");
            topics.close().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    /** What clients say of subscriptions is stored, too. */
    @Test
    @Behaviour("PRO-14")
    void propertiesTooManyAreRefusedAndSubscriptionsWithoutAreNot(@TempDir Path folder) throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 3);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles());
                StreamRuntime runtime = StreamRuntime.create()) {
            Topics topics = Topics.start(
                    runtime,
                    log,
                    TopicLimits.DEFAULTS,
                    InstantSource.system(),
                    new MemoryBudget(PROPERTIES_HEAP_BYTES));
            Topic topic = open(topics, "a");
            Map<String, String> large = Map.of("x", "x".repeat(60_000));
            int made = 0;
            Throwable refusal = null;
            while (refusal == null && made < TOPICS) {
                refusal = failure(topic.createSubscription("s" + made, new NewSubscription(StartAt.EARLIEST, large)));
                made += refusal == null ? 1 : 0;
            }
            assertThat(made).isBetween(1, TOPICS - 1);
            assertRefused(refusal);
            assertRefused(failure(topic.setProperties("s0", Map.of("y", "2"))));
            assertThat(failure(topic.createSubscription("plain", StartAt.EARLIEST)))
                    .isNull();
            assertThat(failure(topic.setProperties("s0", Map.of()))).isNull();
            assertThat(failure(topic.deleteSubscription("s1", false))).isNull();
            assertThat(failure(topic.setProperties("s0", large))).isNull();
            topics.close().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    private static @Nullable Throwable failure(CompletionStage<Void> verb) throws Exception {
        return verb.<Throwable>handle((done, failure) -> failure)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static void assertRefused(@Nullable Throwable refusal) {
        assertThat(refusal)
                .isInstanceOf(BrokerException.class)
                .extracting(failure -> ((BrokerException) failure).kind())
                .isEqualTo(ErrorKind.TOO_MANY_REQUESTS);
    }

    private static Topic open(Topics topics, String name) throws Exception {
        return topics.open(TopicName.parse(name)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void awaitStored(BrokerLog log) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (log.storedBytes() < HEAP_BYTES) {
            assertThat(System.nanoTime() - deadline)
                    .as("all are packed within 20 s, not " + log.storedBytes() + " bytes of them")
                    .isNegative();
            LockSupport.parkNanos(100_000);
        }
    }
}
