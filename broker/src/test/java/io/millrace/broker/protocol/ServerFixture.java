package io.millrace.broker.protocol;

import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.netty.channel.Channel;
import java.nio.file.Path;
import java.time.Duration;

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
