package io.millrace.broker.protocol;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.namespace.NamespaceSettings;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.StreamRuntime;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Real topics over a real log in a folder of the test's. */
final class TopicsFixture implements AutoCloseable {
    private final StreamRuntime runtime = StreamRuntime.create();
    private final BrokerLog log;
    private final Topics topics;
    private final Namespaces namespaces;

    TopicsFixture(Path folder) throws Exception {
        this(LogConfig.defaults(folder).withJournal(8 << 20, 2), new DiskFiles());
    }

    TopicsFixture(Path folder, MemoryBudget memory) throws Exception {
        this(LogConfig.defaults(folder).withJournal(8 << 20, 2), new DiskFiles(), memory);
    }

    TopicsFixture(LogConfig config, Disk disk) throws Exception {
        this(config, disk, MemoryBudget.ofThisProcess());
    }

    private TopicsFixture(LogConfig config, Disk disk, MemoryBudget memory) throws Exception {
        log = BrokerLog.open(config, disk);
        topics = Topics.start(runtime, log, TopicLimits.DEFAULTS, InstantSource.system(), memory);
        namespaces = Namespaces.start(runtime, log, topics, NamespaceSettings.DEFAULTS);
    }

    Namespaces namespaces() {
        return namespaces;
    }

    Topic open(String name) throws Exception {
        return topics.open(TopicName.parse(name)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        namespaces.close().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        log.close();
        runtime.close();
    }
}
