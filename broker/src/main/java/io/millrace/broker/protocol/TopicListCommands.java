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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * GET_TOPICS_OF_NAMESPACE, WATCH_TOPIC_LIST and WATCH_TOPIC_LIST_CLOSE. Lists are long: a connection gets one after the
 * other, each once it has taken what was written before. Owned by the event loop.
 */
final class TopicListCommands {
    /** What a name takes in a frame beside its bytes. */
    private static final int NAME_BYTES = 6;

    private final Connection connection;
    private final Namespaces namespaces;
    private final LongObjectHashMap<SessionWatch> watches = new LongObjectHashMap<>();
    private final Queue<Wanted> waiting = new ArrayDeque<>(0);
    /** The lists of watchers, one of each, that wait for those. */
    private final Map<SessionWatch, Wanted> waitingWatchers = new LinkedHashMap<>(0);

    private boolean isListing;

    TopicListCommands(Connection connection, Namespaces namespaces) {
        this.connection = connection;
        this.namespaces = namespaces;
    }

    /** What a client asks for; the hash is that of the list that it has. */
    private record Asked(long requestId, @Nullable String hash) {}

    /**
     * A list that a client wants.
     *
     * @param bytes of the broker's memory that it takes while it waits; 0 if its watcher has them
     * @param list how it is asked for
     * @param answer who answers with it, or with why there is none
     */
    private record Wanted(
            long bytes,
            Supplier<CompletionStage<TopicList>> list,
            BiConsumer<@Nullable TopicList, @Nullable Throwable> answer) {}

    void list(CommandGetTopicsOfNamespace command) {
        long requestId = command.getRequestId();
        try {
            NamespaceName namespace = NamespaceName.parse(command.getNamespace());
            int most = connection.limits().maxHandles();
            if (waiting.size() >= most) {
                throw new BrokerException(
                        ErrorKind.TOO_MANY_REQUESTS,
                        most + " lists of topics wait for this connection: ask again later");
            }
            String pattern = pattern(command);
            TopicListing wanted = new TopicListing(namespace, domain(command.getMode()), pattern);
            Asked asked = new Asked(requestId, command.hasTopicsHash() ? command.getTopicsHash() : null);
            long bytes = Weights.listing(command.getNamespace(), pattern, asked.hash);
            connection.requireMemory(MemoryBudget.Kind.CONSUMERS, bytes);
            waiting.add(
                    new Wanted(bytes, () -> namespaces.list(wanted), (list, failure) -> listed(asked, list, failure)));
            listNext();
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    /** Null for none, and for one that is too long: as with Pulsar the client then matches all names itself. */
    private static @Nullable String pattern(CommandGetTopicsOfNamespace command) {
        String pattern = command.hasTopicsPattern() ? command.getTopicsPattern() : null;
        return pattern == null || pattern.length() > FieldLimit.TOPICS_PATTERN.max() ? null : pattern;
    }

    private static TopicName.@Nullable Domain domain(CommandGetTopicsOfNamespace.Mode mode) {
        return switch (mode) {
            case PERSISTENT -> TopicName.Domain.PERSISTENT;
            case NON_PERSISTENT -> TopicName.Domain.NON_PERSISTENT;
            case ALL -> null;
        };
    }

    /** Until it is asked for, a list waits for the client, which may be gone: no answer to it is due. */
    private void listNext() {
        if (isListing || !connection.channel().isWritable()) {
            return;
        }
        Wanted next = waiting.isEmpty() ? nextOfWatchers() : waiting.poll();
        if (next == null) {
            return;
        }
        isListing = true;
        giveBack(next);
        connection.inFlight().requested(1);
        next.list
                .get()
                .whenComplete((list, failure) -> connection.execute(() -> {
                    isListing = false;
                    next.answer.accept(list, failure);
                    listNext();
                    connection.inFlight().answered(1);
                }));
    }

    private void giveBack(Wanted wanted) {
        connection.memory().change(MemoryBudget.Kind.CONSUMERS, -wanted.bytes);
    }

    private @Nullable Wanted nextOfWatchers() {
        Iterator<Wanted> each = waitingWatchers.values().iterator();
        if (!each.hasNext()) {
            return null;
        }
        Wanted next = each.next();
        each.remove();
        return next;
    }

    private void listed(Asked asked, @Nullable TopicList list, @Nullable Throwable failure) {
        if (failure != null) {
            connection.replies().error(asked.requestId, ErrorCodes.refusal(failure));
        } else if (list != null) {
            answer(asked, list);
        }
    }

    private void answer(Asked asked, TopicList list) {
        boolean isChanged = !list.hash().equals(asked.hash);
        if (isChanged && !fits(asked.requestId, list)) {
            return;
        }
        BaseCommand reply = connection.replies().command(BaseCommand.Type.GET_TOPICS_OF_NAMESPACE_RESPONSE);
        reply.setGetTopicsOfNamespaceResponse()
                .setRequestId(asked.requestId)
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
            Asked asked = new Asked(requestId, command.hasTopicsHash() ? command.getTopicsHash() : null);
            if (known == null) {
                begin(command, asked);
            } else if (known.isOpen() && !waitingWatchers.containsKey(known)) {
                repeat(known, asked);
            } else {
                throw new BrokerException(
                        ErrorKind.SERVICE_NOT_READY,
                        "Topic list watcher " + command.getWatcherId() + " is already being opened: try again");
            }
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    private void begin(CommandWatchTopicList command, Asked asked) {
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
        awaitList(
                watch,
                () -> namespaces.watch(namespace, pattern, watch),
                (list, failure) -> begun(watch, asked, list, failure));
    }

    private void begun(SessionWatch watch, Asked asked, @Nullable TopicList list, @Nullable Throwable failure) {
        if (list != null && fits(asked.requestId, list)) {
            watch.opened();
            answer(watch, asked, list);
            return;
        }
        if (failure != null) {
            connection.replies().error(asked.requestId, ErrorCodes.refusal(failure));
        }
        end(watch);
    }

    /** A client makes sure that it has missed nothing. */
    private void repeat(SessionWatch watch, Asked asked) {
        awaitList(watch, () -> namespaces.watched(watch.namespace(), watch.pattern()), (list, failure) -> {
            if (list == null) {
                connection.replies().error(asked.requestId, ErrorCodes.refusal(failure));
            } else if (fits(asked.requestId, list)) {
                answer(watch, asked, list);
            }
        });
    }

    private void awaitList(
            SessionWatch watch,
            Supplier<CompletionStage<TopicList>> list,
            BiConsumer<@Nullable TopicList, @Nullable Throwable> answer) {
        waitingWatchers.put(watch, new Wanted(0, list, answer));
        listNext();
    }

    private void answer(SessionWatch watch, Asked asked, TopicList list) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.WATCH_TOPIC_LIST_SUCCESS);
        reply.setWatchTopicListSuccess()
                .setRequestId(asked.requestId)
                .setWatcherId(watch.watcherId())
                .setTopicsHash(list.hash());
        if (!list.hash().equals(asked.hash)) {
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
        waiting.forEach(this::giveBack);
        waiting.clear();
        waitingWatchers.clear();
        List.copyOf(watches.values()).forEach(this::end);
    }

    private void end(SessionWatch watch) {
        if (watches.remove(watch.watcherId(), watch)) {
            watch.ended();
            refuseWaiting(watch);
            namespaces.unwatch(watch.namespace(), watch.pattern(), watch);
        }
    }

    private void refuseWaiting(SessionWatch watch) {
        Wanted wanted = waitingWatchers.remove(watch);
        if (wanted != null) {
            String text = "topic list watcher " + watch.watcherId() + " was closed before it was listed";
            wanted.answer.accept(null, new BrokerException(ErrorKind.SERVICE_NOT_READY, text));
        }
    }
}
