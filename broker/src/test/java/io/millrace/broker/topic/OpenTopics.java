package io.millrace.broker.topic;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A log, a runtime and the topics on them, over a real folder; closing stops them as a broker does. */
final class OpenTopics implements AutoCloseable {
    final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("topics-test"));
    final BrokerLog log;
    final Topics topics;
    private final List<ByteBuf> published = new CopyOnWriteArrayList<>();

    OpenTopics(Path folder) throws Exception {
        this(folder, new DiskFiles(), TopicLimits.DEFAULTS);
    }

    OpenTopics(Path folder, Disk disk, TopicLimits limits) throws Exception {
        this(folder, disk, limits, MemoryBudget.ofThisProcess());
    }

    OpenTopics(Path folder, Disk disk, TopicLimits limits, MemoryBudget memory) throws Exception {
        log = BrokerLog.open(LogConfig.defaults(folder).withJournal(1 << 20, 3), disk);
        topics = Topics.start(runtime, log, limits, InstantSource.system(), memory);
    }

    Topic open(String name) throws Exception {
        return topics.open(TopicName.parse(name)).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    void publish(RecordingProducer producer, long sequenceId, String text) {
        ByteBuf data = Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        published.add(data);
        EntryHeader header = new EntryHeader(1, System.currentTimeMillis(), 0, 0, 0);
        producer.handle().publish(new PublishRequest(sequenceId, sequenceId, header, data));
    }

    /** How many buffers that were published are still referenced. */
    long unreleasedCount() {
        return published.stream().filter(data -> data.refCnt() > 0).count();
    }

    @Override
    public void close() throws IOException {
        topics.close().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
        runtime.close();
        log.close();
    }
}
