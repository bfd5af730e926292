package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Names over a log on a disk of the test's; closing stops them as a broker does. */
final class NamespacesFixture implements AutoCloseable {
    /** What topics may take. */
    record Limits(TopicLimits topics, MemoryBudget memory) {}

    final BrokerLog log;
    final Topics topics;
    final Namespaces names;
    private final StreamRuntime runtime = StreamRuntime.create();
    private final StreamRuntime runtimeOfNames;

    NamespacesFixture(LogConfig config, Disk disk, NamespaceSettings settings) throws Exception {
        this(config, disk, settings, TopicLimits.DEFAULTS);
    }

    NamespacesFixture(LogConfig config, Disk disk, NamespaceSettings settings, TopicLimits limits) throws Exception {
        this(config, disk, settings, new Limits(limits, MemoryBudget.ofThisProcess()));
    }

    NamespacesFixture(LogConfig config, Disk disk, NamespaceSettings settings, Limits limits) throws Exception {
        this(config, disk, settings, limits, Schedulers.eventLoops());
    }

    /** The same with names that take time and timers from that scheduler. */
    NamespacesFixture(LogConfig config, Disk disk, NamespaceSettings settings, Limits limits, Scheduler time)
            throws Exception {
        log = BrokerLog.open(config, disk);
        topics = Topics.start(runtime, log, limits.topics, InstantSource.system(), limits.memory);
        runtimeOfNames = StreamRuntime.create(RuntimeSettings.defaults().withName("names"), time);
        names = Namespaces.start(runtimeOfNames, log, topics, settings);
    }

    Topic open(String name) throws Exception {
        return await(names.open(TopicName.parse(name), true));
    }

    int partitions(String name, boolean create) throws Exception {
        return await(names.partitionsOf(TopicName.parse(name), create));
    }

    /** The answer; a refusal is thrown as such. */
    static <T> T await(CompletionStage<T> asked) throws Exception {
        try {
            return asked.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BrokerException refusal ? refusal : e;
        }
    }

    @Override
    public void close() {
        names.close().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        runtimeOfNames.close();
        runtime.close();
        log.close();
    }
}
