package io.millrace.broker.model;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Damage;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.NamespaceSettings;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.protocol.ProtocolServer;
import io.millrace.broker.protocol.ServerSettings;
import io.millrace.broker.protocol.SessionLimits;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A broker over a simulated disk, which dies and starts anew; the clock it sees; and the model of what it promised. */
final class World implements AutoCloseable {
    private static final LogConfig LOG = LogConfig.defaults(Path.of("/data"))
            .withJournal(16 * 1024, 3)
            .withLedgers(6 * 1024, 14)
            .withMemory(4 * 1024, 1 << 20)
            .withUnpackedTopics(1);
    private static final TopicLimits LIMITS =
            TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofMillis(30)).withMaxOpenTopics(1_000);
    private static final ServerSettings SERVER =
            ServerSettings.loopback().withLimits(SessionLimits.DEFAULTS.withMaxMessageBytes(8 * 1024));
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NANOS = 20_000;
    private static final int NOTES = 400;

    /** A condition that may look at what has come. */
    interface Condition {
        boolean holds() throws IOException;
    }

    final List<TopicModel> topics = new ArrayList<>();
    final NameModel names = new NameModel();
    final AdminModel admin = new AdminModel();
    final List<Client> clients = new ArrayList<>();
    /** What has been done in it. */
    final Set<Deed> deeds = EnumSet.noneOf(Deed.class);

    private final Deque<String> notes = new ArrayDeque<>();
    private final Set<Published.Sender> refused = new HashSet<>();
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis());
    private SimulatedDisk disk = new SimulatedDisk();
    private StreamRuntime runtime;
    private BrokerLog log;
    Namespaces directory;
    private ProtocolServer server;
    private final AtomicLong clockOffsetMillis = new AtomicLong();
    private long latestMillis;
    private long nextId;
    private boolean ending;
    /** Whether the disk is full, or was a moment ago. */
    private boolean full;
    /** How often the disk became full. */
    private int fillings;

    World(int topicCount, int subscriptionCount) {
        for (int i = 0; i < topicCount; i++) {
            TopicModel topic = new TopicModel("model-" + i);
            for (int k = 0; k < subscriptionCount; k++) {
                topic.subscriptions.add(new SubscriptionModel(topic, "s" + k));
            }
            topics.add(topic);
        }
    }

    void start() throws IOException {
        ending = false;
        full = false;
        latestMillis = nowMillis();
        note("start");
        log = BrokerLog.open(LOG, disk);
        requireNoDamage();
        runtime = StreamRuntime.create(
                RuntimeSettings.defaults().withName("model").withCloseTimeout(Duration.ofMillis(400)));
        Topics opened = Topics.start(runtime, log, LIMITS, clock, MemoryBudget.ofThisProcess());
        directory = Namespaces.start(runtime, log, opened, NamespaceSettings.DEFAULTS);
        server = ProtocolServer.start(SERVER, directory);
        names.check(this);
        admin.check(this);
    }

    private void requireNoDamage() {
        if (!log.damages().stream().allMatch(Damage::isTornTail)) {
            throw new ModelFailure("found damaged: " + log.damages());
        }
    }

    /** The process is killed: what it wrote is there. */
    void kill() throws IOException {
        deeds.add(Deed.KILL);
        note("kill");
        admin.settle(this);
        List<SimulatedDisk.Change> trace = disk.trace();
        die(SimulatedDisk.upTo(trace, trace.size()));
    }

    /** The power fails: of what was not forced, some is there. */
    void cutPower(long seed) throws IOException {
        deeds.add(Deed.CUT_POWER);
        note("power cut " + seed);
        admin.settle(this);
        List<SimulatedDisk.Change> trace = disk.trace();
        die(SimulatedDisk.afterPowerLoss(trace, trace.size(), seed, null));
    }

    /** From now on no journal group is forced: what is written may be there after the next start, or not. */
    void holdForces() {
        deeds.add(Deed.HOLD_FORCES);
        note("forces wait");
        disk.hold(ForcePoint.JOURNAL_GROUP);
    }

    private void die(SimulatedDisk left) throws IOException {
        disk.release(ForcePoint.JOURNAL_GROUP);
        ending = true;
        for (Client client : clients) {
            client.close();
        }
        clients.clear();
        stop();
        disk = left;
        topics.forEach(TopicModel::crash);
    }

    /** The broker closes as it should, and its clients hear what it has to say until then. */
    void shutDown() throws IOException {
        deeds.add(Deed.SHUT_DOWN);
        note("shut down");
        disk.release(ForcePoint.JOURNAL_GROUP);
        ending = true;
        CompletableFuture<Void> closing = CompletableFuture.runAsync(this::stop);
        await("the end of all connections", () -> {
            pump();
            return clients.stream().allMatch(Client::hasEnded);
        });
        await("the broker's end", closing::isDone);
        closing.join();
        for (Client client : clients) {
            client.close();
        }
        clients.clear();
        disk = SimulatedDisk.upTo(disk.trace(), disk.changeCount());
        topics.forEach(TopicModel::crash);
    }

    private void stop() {
        requireNoDamage();
        server.close();
        directory.close().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        runtime.close();
        log.close();
        awaitNothingHeld();
    }

    /** An event loop that ends late gives back late. */
    private void awaitNothingHeld() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (directory.memory().heldBytes() != 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new ModelFailure(directory.memory().heldBytes() + " bytes are held for clients that are gone");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    int port() {
        return server.port();
    }

    boolean isEnding() {
        return ending;
    }

    long nextId() {
        return ++nextId;
    }

    void note(String event) {
        notes.add(event);
        if (notes.size() > NOTES) {
            notes.remove();
        }
    }

    /** The last of what happened. */
    String notes() {
        return String.join("\n", notes);
    }

    /** The broker's time, in milliseconds since the epoch. */
    long nowMillis() {
        return System.currentTimeMillis() + clockOffsetMillis.get();
    }

    void jump(long millis) {
        deeds.add(Deed.JUMP_CLOCK);
        note("the clock jumps by " + millis + " ms");
        latestMillis = latestMillis();
        clockOffsetMillis.addAndGet(millis);
    }

    /** The latest time that the broker has seen in this life. */
    long latestMillis() {
        latestMillis = Math.max(latestMillis, nowMillis());
        return latestMillis;
    }

    /** From now on there is room for so many bytes more. */
    void fillDisk(long bytesLeft) {
        note("the disk has room for " + bytesLeft + " bytes");
        full = true;
        fillings++;
        deeds.add(Deed.FILL_DISK);
        disk.setCapacity(disk.usedBytes() + bytesLeft);
    }

    /** There is room again; the broker needs a moment to find that out. */
    void freeDisk() {
        note("the disk has room again");
        disk.setCapacity(Long.MAX_VALUE);
    }

    /**
     * Waits until the ledgers' writer has done what it began before there was room: it may have found the disk full and
     * say so only now. It applies a change after that.
     */
    void awaitLedgers() throws IOException {
        await("a change of names", () -> {
            CompletableFuture<Void> asked = directory
                    .ensureNamespace(new NamespaceName("room-" + nextId(), "space"))
                    .toCompletableFuture();
            await("its answer", asked::isDone);
            return !asked.isCompletedExceptionally();
        });
    }

    /** The broker has shown that it knows that there is room. */
    void roomWasFound() {
        full = false;
    }

    boolean isFull() {
        return full;
    }

    int fillings() {
        return fillings;
    }

    void requireFull(String refusal) {
        if (!full && !ending) {
            throw new ModelFailure("refused while the disk has room: " + refusal);
        }
    }

    void refusedIn(Published.Sender sender) {
        refused.add(sender);
        deeds.add(Deed.REFUSED_SEND);
    }

    boolean wasRefusedIn(Published.Sender sender) {
        return refused.contains(sender);
    }

    List<SubscriptionModel> subscriptions() {
        return topics.stream().flatMap(topic -> topic.subscriptions.stream()).toList();
    }

    /** Handles what has come on every connection; true if that was anything. */
    boolean pump() throws IOException {
        boolean any = false;
        for (Client client : clients) {
            any |= client.pump();
        }
        return any;
    }

    void await(String what, Condition condition) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                StringBuilder unanswered = new StringBuilder();
                clients.forEach(client -> unanswered.append("; ").append(client.unanswered()));
                throw new ModelFailure("not within 20 s: " + what + unanswered);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Every request has its answer, every publish its receipt. */
    void awaitAnswers() throws IOException {
        await("all answers", () -> {
            pump();
            return clients.stream().allMatch(Client::isAnswered);
        });
    }

    @Override
    public void close() {
        if (!ending) {
            ending = true;
            disk.release(ForcePoint.JOURNAL_GROUP);
            stop();
        }
    }
}
