package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.TopicList;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandGetTopicsOfNamespace;
import io.millrace.wire.CommandWatchTopicList;
import io.millrace.wire.CommandWatchTopicListClose;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * GET_TOPICS_OF_NAMESPACE, WATCH_TOPIC_LIST and WATCH_TOPIC_LIST_CLOSE. Lists are long: a connection gets one after the
 * other, each once it has taken what was written before. Owned by the event loop.
 */
final class TopicListCommands {
    /** Lists that wait for the one before them; more are refused. */
    private static final int MAX_WAITING = 100;

    /** What a name takes in a frame beside its bytes. */
    private static final int NAME_BYTES = 6;

    private final Connection connection;
    private final Namespaces namespaces;
    private final LongObjectHashMap<SessionWatch> watches = new LongObjectHashMap<>();
    private final Queue<Wanted> waiting = new ArrayDeque<>(0);
    private boolean isListing;

    TopicListCommands(Connection connection, Namespaces namespaces) {
        this.connection = connection;
        this.namespaces = namespaces;
    }

    /** A list that a client wants; the hash is that of the one it has. */
    private record Wanted(
            long requestId, TopicListing asked, @Nullable String hash) {}

    void list(CommandGetTopicsOfNamespace command) {
        long requestId = command.getRequestId();
        try {
            NamespaceName namespace = NamespaceName.parse(command.getNamespace());
            if (waiting.size() >= MAX_WAITING) {
                throw new BrokerException(
                        ErrorKind.TOO_MANY_REQUESTS,
                        MAX_WAITING + " lists of topics wait for this connection: ask again later");
            }
            String pattern = command.hasTopicsPattern() ? command.getTopicsPattern() : null;
            waiting.add(new Wanted(
                    requestId,
                    new TopicListing(namespace, domain(command.getMode()), pattern),
                    command.hasTopicsHash() ? command.getTopicsHash() : null));
            connection.inFlight().requested(1);
            listNext();
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    private static TopicName.@Nullable Domain domain(CommandGetTopicsOfNamespace.Mode mode) {
        return switch (mode) {
            case PERSISTENT -> TopicName.Domain.PERSISTENT;
            case NON_PERSISTENT -> TopicName.Domain.NON_PERSISTENT;
            case ALL -> null;
        };
    }

    private void listNext() {
        Wanted next = isListing || !connection.channel().isWritable() ? null : waiting.poll();
        if (next == null) {
            return;
        }
        isListing = true;
        namespaces
                .list(next.asked)
                .whenComplete((list, failure) -> connection.execute(() -> {
                    isListing = false;
                    if (list == null) {
                        connection.replies().error(next.requestId, ErrorCodes.refusal(failure));
                    } else {
                        answer(next, list);
                    }
                    connection.inFlight().answered(1);
                    listNext();
                }));
    }

    private void answer(Wanted wanted, TopicList list) {
        boolean isChanged = !list.hash().equals(wanted.hash);
        if (isChanged && !fits(wanted.requestId, list)) {
            return;
        }
        BaseCommand reply = connection.replies().command(BaseCommand.Type.GET_TOPICS_OF_NAMESPACE_RESPONSE);
        reply.setGetTopicsOfNamespaceResponse()
                .setRequestId(wanted.requestId)
                .setFiltered(list.isFiltered())
                .setTopicsHash(list.hash())
                .setChanged(isChanged);
        if (isChanged) {
            list.names().forEach(reply.getGetTopicsOfNamespaceResponse()::addTopic);
        }
        connection.replies().send(reply);
    }

    /** Whether a frame has room for the list; answers the request if not. */
    private boolean fits(long requestId, TopicList list) {
        long bytes = list.names().stream()
                .mapToLong(name -> NAME_BYTES + ByteBufUtil.utf8Bytes(name))
                .sum();
        long most = connection.limits().maxMessageBytes();
        if (bytes > most) {
            connection
                    .replies()
                    .error(
                            requestId,
                            new BrokerException(
                                    ErrorKind.NOT_ALLOWED,
                                    "the names of " + list.names().size() + " topics take " + bytes
                                            + " bytes, but a frame " + most + ": ask by a pattern"));
        }
        return bytes <= most;
    }

    void watch(CommandWatchTopicList command) {
        long requestId = command.getRequestId();
        try {
            SessionWatch known = watches.get(command.getWatcherId());
            String hash = command.hasTopicsHash() ? command.getTopicsHash() : null;
            if (known == null) {
                begin(command, requestId, hash);
            } else if (known.isOpen()) {
                repeat(known, requestId, hash);
            } else {
                throw new BrokerException(
                        ErrorKind.SERVICE_NOT_READY,
                        "Topic list watcher " + command.getWatcherId() + " is already being opened: try again");
            }
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    private void begin(CommandWatchTopicList command, long requestId, @Nullable String hash) {
        NamespaceName namespace = NamespaceName.parse(command.getNamespace());
        String pattern = command.getTopicsPattern();
        if (watches.size() >= connection.limits().maxHandles()) {
            throw new BrokerException(
                    ErrorKind.TOO_MANY_REQUESTS,
                    "a connection has at most " + connection.limits().maxHandles() + " topic list watchers");
        }
        long bytes = Weights.watcher(namespace.toString(), pattern);
        connection.requireMemory(MemoryBudget.Kind.CONSUMERS, bytes);
        SessionWatch watch = new SessionWatch(connection, command.getWatcherId(), namespace, pattern);
        watch.holds(bytes);
        watches.put(watch.watcherId(), watch);
        connection.inFlight().requested(1);
        namespaces
                .watch(namespace, pattern, watch)
                .whenComplete((list, failure) -> connection.execute(() -> {
                    begun(watch, requestId, hash, list, failure);
                    connection.inFlight().answered(1);
                }));
    }

    private void begun(
            SessionWatch watch,
            long requestId,
            @Nullable String hash,
            @Nullable TopicList list,
            @Nullable Throwable failure) {
        if (list == null || !fits(requestId, list)) {
            if (failure != null) {
                connection.replies().error(requestId, ErrorCodes.refusal(failure));
            }
            end(watch);
        } else {
            watch.opened();
            answer(watch, requestId, hash, list);
        }
    }

    /** A client makes sure that it has missed nothing. */
    private void repeat(SessionWatch watch, long requestId, @Nullable String hash) {
        connection.inFlight().requested(1);
        namespaces
                .watched(watch.namespace(), watch.pattern())
                .whenComplete((list, failure) -> connection.execute(() -> {
                    if (list == null) {
                        connection.replies().error(requestId, ErrorCodes.refusal(failure));
                    } else if (fits(requestId, list)) {
                        answer(watch, requestId, hash, list);
                    }
                    connection.inFlight().answered(1);
                }));
    }

    private void answer(SessionWatch watch, long requestId, @Nullable String hash, TopicList list) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.WATCH_TOPIC_LIST_SUCCESS);
        reply.setWatchTopicListSuccess()
                .setRequestId(requestId)
                .setWatcherId(watch.watcherId())
                .setTopicsHash(list.hash());
        if (!list.hash().equals(hash)) {
            list.names().forEach(reply.getWatchTopicListSuccess()::addTopic);
        }
        connection.replies().send(reply);
    }

    void close(CommandWatchTopicListClose command) {
        SessionWatch watch = watches.get(command.getWatcherId());
        if (watch != null) {
            end(watch);
        }
        connection.replies().success(command.getRequestId());
    }

    /** The client takes output again. */
    void writable() {
        for (SessionWatch watch : List.copyOf(watches.values())) {
            watch.send();
        }
        listNext();
    }

    /** The connection has ended: nothing is watched for it any more. */
    void connectionLost() {
        waiting.clear();
        List.copyOf(watches.values()).forEach(this::end);
    }

    private void end(SessionWatch watch) {
        if (watches.remove(watch.watcherId(), watch)) {
            watch.ended();
            namespaces.unwatch(watch.namespace(), watch.pattern(), watch);
        }
    }
}
