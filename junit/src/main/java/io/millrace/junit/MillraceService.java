package io.millrace.junit;

import io.millrace.broker.Broker;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A broker for tests, and a namespace in it. Thread-safe. JUnit's annotation {@link Millrace} hands it to tests; TestNG, Kotest and others
 * make one by themselves and close it.
 */
public final class MillraceService implements AutoCloseable {
    private static final String DEFAULT_NAMESPACE = "public/default";
    private static final String SCHEME = "persistent://";
    /** A client's close, and its acknowledgements, are on their way for a while after the call has returned. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long ANSWER_SECONDS = 10;

    private final RunningBroker running;
    private final String namespace;
    private final boolean isShared;

    private MillraceService(RunningBroker running, String namespace, boolean isShared) {
        this.running = running;
        this.namespace = namespace;
        this.isShared = isShared;
    }

    /**
     * Starts a broker on a free port that keeps nothing after it is closed.
     *
     * @throws java.io.UncheckedIOException if it cannot start, saying why
     */
    public static MillraceService start() {
        return new MillraceService(RunningBroker.start(Map.of()), DEFAULT_NAMESPACE, false);
    }

    /**
     * Starts a broker on a free port that keeps its messages in a folder, which no other uses.
     *
     * @throws java.io.UncheckedIOException if it cannot start, saying why
     */
    public static MillraceService start(Path data) {
        return new MillraceService(RunningBroker.start(data), DEFAULT_NAMESPACE, false);
    }

    /**
     * Starts a broker with settings of your own, by key as a configuration file has them, such as {@code Map.of("auto-topics",
     * "never")}. Where they say nothing it is as by {@link #start()}: on free ports, keeping nothing; with a {@code data-folder}
     * it keeps its messages there.
     *
     * @throws IllegalArgumentException naming key and expected values, for an unknown key or a bad value
     * @throws java.io.UncheckedIOException if it cannot start, saying why
     */
    public static MillraceService start(Map<String, String> settings) {
        return new MillraceService(RunningBroker.start(settings), DEFAULT_NAMESPACE, false);
    }

    /** The broker that all tests of this JVM share, with a new namespace for this class; closing it leaves the broker to the others. */
    public static MillraceService shared(Class<?> test) {
        return sharing(test, null);
    }

    /** The same of the broker of a folder, with the one namespace that the class has there. */
    public static MillraceService shared(Class<?> test, Path data) {
        return sharing(test, data);
    }

    private static MillraceService sharing(Class<?> test, @Nullable Path data) {
        SharedBrokers brokers = SharedBrokers.ofThisJvm();
        RunningBroker running = brokers.broker(data);
        String namespace = brokers.namespace(test, data != null);
        running.broker().createNamespace(namespace); // clients make it, but admin clients look for it first
        return new MillraceService(running, namespace, true);
    }

    /** What clients connect to. */
    public String serviceUrl() {
        return running.broker().serviceUrl();
    }

    /** What admin clients connect to. */
    public String httpServiceUrl() {
        return running.broker().httpServiceUrl();
    }

    /** The namespace of these tests, {@code tenant/namespace}; that of clients' short names if the broker is theirs alone. */
    public String namespace() {
        return namespace;
    }

    /** The full name of a topic of this namespace. */
    public String topic(String name) {
        if (name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a topic's short name has no '/', but this one is '" + name + "'");
        }
        return SCHEME + namespace + '/' + name;
    }

    /** The broker itself. */
    public Broker broker() {
        return running.broker();
    }

    Path folder() {
        return running.folder();
    }

    /** What clients have open here: on a shared broker, in this namespace. What is being closed gets a second for it. */
    public LeftOpen leftOpen() {
        return leftOpen(false, client -> false);
    }

    /** The same, and what was sent and not acknowledged. */
    public LeftOpen leftOpenOrUnacked() {
        return leftOpen(true, client -> false);
    }

    /** The same, but for clients that may stay open without a producer or a consumer. */
    LeftOpen leftOpen(boolean unacked, Predicate<ClientSnapshot> mayStay) {
        long end = System.nanoTime() + GRACE_NANOS;
        while (true) {
            LeftOpen now = new LeftOpen(clients(mayStay), unacked ? unacked() : List.of());
            if (now.isEmpty()
                    || System.nanoTime() - end > 0
                    || Thread.currentThread().isInterrupted()) {
                return now;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private List<ClientSnapshot> clients(Predicate<ClientSnapshot> mayStay) {
        return answer(running.broker().clients()).stream()
                .map(this::ofNamespace)
                .filter(client -> isOpen(client, mayStay))
                .toList();
    }

    private ClientSnapshot ofNamespace(ClientSnapshot client) {
        return new ClientSnapshot(
                client.address(),
                client.version(),
                client.lastTopic(),
                client.producers().stream()
                        .filter(producer -> isHere(producer.topic()))
                        .toList(),
                client.consumers().stream()
                        .filter(consumer -> isHere(consumer.topic()))
                        .toList());
    }

    private boolean isOpen(ClientSnapshot client, Predicate<ClientSnapshot> mayStay) {
        if (!client.producers().isEmpty() || !client.consumers().isEmpty()) {
            return true;
        }
        return isHere(client.lastTopic()) && !mayStay.test(client);
    }

    private boolean isHere(String topic) {
        return !isShared || topic.contains("://" + namespace + '/');
    }

    private List<SubscriptionSnapshot> unacked() {
        String prefix = isShared ? SCHEME + namespace + '/' : SCHEME;
        return answer(running.broker().subscriptions(prefix)).stream()
                .filter(subscription -> subscription.unacked() > 0)
                .toList();
    }

    private static <T> T answer(CompletionStage<T> asked) {
        return asked.toCompletableFuture()
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Ends the broker, unless it is shared. */
    @Override
    public void close() {
        if (!isShared) {
            running.close();
        }
    }

    @Override
    public String toString() {
        return serviceUrl() + " with " + namespace;
    }
}
