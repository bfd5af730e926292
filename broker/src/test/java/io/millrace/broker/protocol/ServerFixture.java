package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicName;
import io.netty.channel.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A protocol server over real topics and a real log in a folder of the test's. */
final class ServerFixture implements AutoCloseable {
    private final TopicsFixture topics;
    private final ProtocolServer server;

    ServerFixture(Path folder) throws Exception {
        this(folder, ServerSettings.loopback());
    }

    ServerFixture(Path folder, ServerSettings settings) throws Exception {
        this(LogConfig.defaults(folder).withJournal(8 << 20, 2), new DiskFiles(), settings);
    }

    ServerFixture(LogConfig config, Disk disk, ServerSettings settings) throws Exception {
        topics = new TopicsFixture(config, disk);
        server = ProtocolServer.start(settings, topics.namespaces());
    }

    /** What is wrong with connections that a test makes itself. */
    static Complaints complaints(Channel channel) {
        return new Complaints(channel.eventLoop(), Duration.ofMinutes(1));
    }

    /** Makes a topic with partitions. */
    void partitioned(String topic, int partitions) {
        topics.namespaces()
                .createPartitionedTopic(TopicName.parse(topic), partitions, Map.of())
                .toCompletableFuture()
                .join();
    }

    /** Sets a policy of a topic. */
    void policy(String topic, String key, String value) {
        topics.namespaces()
                .setTopicPolicies(TopicName.parse(topic), Set.of(), Map.of(key, value))
                .toCompletableFuture()
                .join();
    }

    /** Deletes a topic, also one that is in use. */
    void delete(String topic) {
        topics.namespaces()
                .deleteTopic(TopicName.parse(topic), true)
                .toCompletableFuture()
                .join();
    }

    /** Ends a topic: nothing is published to it from then on. */
    void terminate(String topic) {
        topics.namespaces()
                .terminate(TopicName.parse(topic))
                .toCompletableFuture()
                .join();
    }

    void unload(String topic) {
        topics.namespaces().unload(TopicName.parse(topic)).toCompletableFuture().join();
    }

    /** Waits until so many bytes are held for that kind. */
    void awaitHeld(MemoryBudget.Kind kind, long bytes) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (topics.namespaces().memory().heldBytes(kind) != bytes) {
            assertThat(System.nanoTime() - deadline)
                    .as(
                            "bytes held for %s: %s",
                            kind, topics.namespaces().memory().heldBytes(kind))
                    .isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Waits until a producer of that topic waits to be the only one. */
    void awaitWaitingProducer(String topic) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (topics.open(topic)
                        .figures()
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS)
                        .waitingProducers()
                == 0) {
            assertThat(System.nanoTime() - deadline).as("nobody waits").isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    int port() {
        return server.port();
    }

    ProtocolServer server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
        topics.close();
    }
}
