package io.millrace.broker.protocol;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.StreamRuntime;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A protocol server over real topics and a real log in a folder of the test's. */
final class ServerFixture implements AutoCloseable {
    private final StreamRuntime runtime;
    private final BrokerLog log;
    private final Topics topics;
    private final ProtocolServer server;

    ServerFixture(Path folder) throws Exception {
        this(folder, ServerSettings.loopback());
    }

    ServerFixture(Path folder, ServerSettings settings) throws Exception {
        this(LogConfig.defaults(folder).withJournal(8 << 20, 2), new DiskFiles(), settings);
    }

    ServerFixture(LogConfig config, Disk disk, ServerSettings settings) throws Exception {
        runtime = StreamRuntime.create();
        log = BrokerLog.open(config, disk);
        topics = Topics.start(runtime, log, TopicLimits.DEFAULTS);
        server = ProtocolServer.start(settings, topics);
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
        topics.close().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        log.close();
        runtime.close();
    }
}
