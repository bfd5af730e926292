package io.millrace.broker;

import io.millrace.broker.admin.Addresses;
import io.millrace.broker.admin.AdminApi;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.HttpServer;
import io.millrace.broker.http.HttpSettings;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogRetention;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.OutOfMemory;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.protocol.ProtocolServer;
import io.millrace.broker.protocol.ServerAddress;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.inspect.RuntimeSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker: the log, the stream runtime with its topics, and the servers in front of them. Thread-safe.
 *
 * <p><b>Threads</b>: any. <b>Owned</b>: nothing. <b>Shared</b>: {@code closed}: volatile, set under the monitor; {@code RUNNING}, atomic. <b>States</b>: open
 * -> closed by the first {@link #close}; others wait for it. <b>Proved by</b>: BrokerTest.
 */
public final class Broker implements AutoCloseable {
    private static final Duration CLOSE_TOPICS_TIMEOUT = Duration.ofMillis(1_200);
    private static final Duration CLOSE_STREAMS_TIMEOUT = Duration.ofMillis(400);
    /** Few, because the clients of an embedded broker often share its processors. */
    private static final Duration IDLE_SEARCH = Duration.ofNanos(8_000);

    /** How many run in this process, whose heap they share. */
    private static final AtomicInteger RUNNING = new AtomicInteger();

    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private final BrokerConfig config;
    private final BrokerLog log;
    private final StreamRuntime runtime;
    private final Topics topics;
    private final Namespaces namespaces;
    private final Servers servers;
    private volatile boolean closed;

    /** The topics, by themselves and by their names. */
    private record Named(Topics topics, Namespaces namespaces) {}

    /** The ports in front of them; without HTTP if that is off. */
    private record Servers(
            ProtocolServer protocol, @Nullable HttpServer http) {
        void close() {
            try {
                if (http != null) {
                    http.close();
                }
            } finally {
                protocol.close();
            }
        }

        boolean areRunningHere() {
            return protocol.isRunningHere() || (http != null && http.isRunningHere());
        }
    }

    private Broker(BrokerConfig config, BrokerLog log, StreamRuntime runtime, Named named, Servers servers) {
        this.config = config;
        this.log = log;
        this.runtime = runtime;
        this.topics = named.topics;
        this.namespaces = named.namespaces;
        this.servers = servers;
    }

    /**
     * Recovers the log, then starts to listen.
     *
     * @throws IOException saying what to do, if the data folder or the address cannot be used
     */
    public static Broker start(BrokerConfig config) throws IOException {
        requireSystem(System.getProperty("os.name", ""));
        return start(config, new DiskFiles());
    }

    static void requireSystem(String name) throws IOException {
        if (name.startsWith("Windows")) {
            throw new IOException(name + " is not supported, as it cannot force folders to disk: Millrace runs on Linux"
                    + " and macOS, and in WSL");
        }
    }

    static Broker start(BrokerConfig config, Disk disk) throws IOException {
        return start(config, BrokerLog.open(config.log(), disk, LogRetention.UNKNOWN));
    }

    private static Broker start(BrokerConfig config, BrokerLog log) throws IOException {
        StreamRuntime runtime;
        try {
            runtime = StreamRuntime.create(runtimeSettings());
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
        RUNNING.incrementAndGet();
        try {
            MemoryBudget memory = MemoryBudget.ofThisProcess(RUNNING::get);
            int maxMessageBytes = config.server().limits().maxMessageBytes();
            TopicLimits limits = config.topics().withMaxMessageBytes(maxMessageBytes);
            Topics topics = Topics.start(runtime, log, limits, InstantSource.system(), memory);
            Namespaces namespaces = Namespaces.start(runtime, log, topics, config.namespaces());
            Named named = new Named(topics, namespaces);
            Servers servers = serve(config, log, named);
            log.onReadMemoryShort(servers.protocol::askWhoTakesNothing);
            return new Broker(config, log, runtime, named, servers);
        } catch (IOException | RuntimeException | Error e) { // of classes that do not fit, too: nothing is left open
            RUNNING.decrementAndGet();
            runtime.close();
            log.close();
            throw e;
        }
    }

    private static Servers serve(BrokerConfig config, BrokerLog log, Named named) throws IOException {
        ProtocolServer protocol = ProtocolServer.start(config.server(), named.namespaces);
        if (!config.http().isOn()) {
            return new Servers(protocol, null);
        }
        try {
            ServerAddress address = config.server().address();
            Addresses addresses = new Addresses(address, protocol.port());
            HttpServer http = HttpServer.start(
                    config.http(),
                    address.bindAddress(),
                    address.names(),
                    () -> AdminApi.routes(
                            log,
                            named.namespaces,
                            addresses,
                            config.server().limits().maxMessageBytes()));
            return new Servers(protocol, http);
        } catch (IOException | RuntimeException | Error e) {
            protocol.close();
            throw e;
        }
    }

    /** The port it listens on. */
    public int port() {
        return servers.protocol.port();
    }

    /** The port of the admin API over HTTP; -1 if that is off. */
    public int httpPort() {
        return servers.http == null ? HttpSettings.OFF : servers.http.port();
    }

    /**
     * What admin clients connect to.
     *
     * @throws IllegalStateException if HTTP is off
     */
    public String httpServiceUrl() {
        if (servers.http == null) {
            throw new IllegalStateException("HTTP is off: start the broker with BrokerConfig.withHttpPort");
        }
        return "http://" + config.server().address().reachableHost() + ":" + httpPort();
    }

    /** What clients connect to. */
    public String serviceUrl() {
        return "pulsar://" + config.reachableAddress(port());
    }

    /**
     * A topic as the ends of streams in this process, by its full name or a short one as clients use them.
     *
     * @throws BrokerException if the name does not parse
     */
    public BrokerTopic topic(String name) {
        return new BrokerTopic(
                namespaces, TopicName.parse(name), config.server().limits().maxEntryBytes());
    }

    /**
     * Makes a namespace, {@code tenant/namespace}, and its tenant, unless they are there; returns when that is durable.
     *
     * @throws BrokerException if the name does not parse, or nothing can be stored now
     * @throws IllegalStateException if what the broker itself has called waits for it so, such as what follows an answer of {@link #namespaces}
     */
    public void createNamespace(String name) {
        if (runtime.isRunningHere()) {
            throw new IllegalStateException(
                    "namespace " + name + " is not made: the broker would wait for itself on this "
                            + "thread of its own; Namespaces.ensureNamespace does not wait");
        }
        try {
            namespaces
                    .ensureNamespace(NamespaceName.parse(name))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BrokerException refusal
                    ? refusal
                    : new IllegalStateException("namespace " + name + " was not made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException(
                    ErrorKind.SERVICE_NOT_READY, "interrupted while namespace " + name + " was made", e);
        }
    }

    /** Tenants, namespaces, topics and partitioned topics: make, change, list and delete them. */
    public Namespaces namespaces() {
        return namespaces;
    }

    /** The streams that run now: of each topic its append, its tail and its dispatchers. */
    public RuntimeSnapshot snapshot() {
        return runtime.snapshot();
    }

    /** The clients that are connected, and what each has open. */
    public CompletionStage<List<ClientSnapshot>> clients() {
        return servers.protocol.clients();
    }

    /** The subscriptions that are in use, by consumers or until a while ago, of topics whose full name begins so. */
    public CompletionStage<List<SubscriptionSnapshot>> subscriptions(String topicPrefix) {
        return topics.subscriptions(topicPrefix);
    }

    /** What takes memory now, in one line for a log. */
    public String memoryUse() {
        Runtime process = Runtime.getRuntime();
        return "heap " + mebibytes(process.totalMemory() - process.freeMemory()) + " of "
                + mebibytes(process.maxMemory()) + " MiB, " + servers.protocol.connections() + " connections, "
                + log.usedTopics() + " topics in use of " + log.topicNames().size() + ", "
                + mebibytes(topics.memory().heldBytes()) + " of "
                + mebibytes(topics.memory().limitBytes()) + " MiB that clients may hold, "
                + mebibytes(servers.protocol.pendingPublishBytes()) + " MiB of publishes without a receipt, "
                + mebibytes(log.readMemoryBytes()) + " MiB of entries read for consumers, "
                + mebibytes(log.tailCacheBytes()) + " MiB of tail cache";
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }

    /**
     * Stops reading, sends the receipts of the messages it accepted, and makes everything durable. Takes at most 5
     * seconds. An interrupt before that, or while topics close, changes nothing, and is there afterwards.
     *
     * @throws IllegalStateException if what the broker itself has called is the first to close it, such as what follows
     *     the receipt of an acknowledgement; nothing is changed then
     */
    @Override
    public void close() {
        close(CLOSE_TOPICS_TIMEOUT);
    }

    /** Whether it is closed, or about to be. */
    public boolean isClosed() {
        return closed;
    }

    /** The same with another limit on how long topics take. */
    void close(Duration topicsTimeout) {
        boolean isHere = runtime.isRunningHere() || servers.areRunningHere();
        if (isHere && closed) {
            return;
        }
        if (isHere) {
            throw new IllegalStateException("the broker is not closed: it would wait for itself on this thread of its"
                    + " own; close it on another thread");
        }
        closeOnce(topicsTimeout);
    }

    private synchronized void closeOnce(Duration topicsTimeout) {
        if (closed) {
            return;
        }
        closed = true;
        boolean isInterrupted = Thread.interrupted();
        try {
            var unused = topics.liftPublishRates();
            servers.close();
            closeTopics(topicsTimeout);
        } finally {
            isInterrupted |= Thread.interrupted();
            try {
                runtime.close();
                log.close();
            } finally {
                RUNNING.decrementAndGet();
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void closeTopics(Duration timeout) {
        try {
            namespaces
                    .close()
                    .toCompletableFuture()
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join(); // whatever interrupts it
        } catch (CompletionException e) {
            LOG.warn("not all topics closed within {}; what they had no receipt for may be lost", timeout, e);
        }
    }

    static RuntimeSettings runtimeSettings() {
        RuntimeSettings defaults = RuntimeSettings.defaults();
        return defaults.withName("millrace")
                .withFailureReporter(failure -> {
                    OutOfMemory.tell(failure);
                    defaults.failureReporter().accept(failure);
                })
                .withIdleSearch(IDLE_SEARCH)
                .withCloseTimeout(CLOSE_STREAMS_TIMEOUT);
    }
}
