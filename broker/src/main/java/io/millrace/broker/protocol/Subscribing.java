package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.KeySharedOptions;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.SubscribeRequest;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.KeySharedMeta;
import io.millrace.wire.KeySharedMode;
import io.millrace.wire.MessageIdData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A SUBSCRIBE command, translated to the broker's own types. */
record Subscribing(
        TopicName topic, boolean createTopic, Subscription subscription, ConsumerOptions consumer, long consumerEpoch) {
    private static final long NO_EPOCH = -1;
    /** Names that Pulsar keeps for subscriptions of its own: of replication, by what they begin with, and of deduplication. */
    private static final String OF_REPLICATION = "pulsar.repl";

    private static final String OF_DEDUPLICATION = "pulsar.dedup";

    /** The subscription that is asked for, and how it begins if it is new. */
    record Subscription(String name, boolean durable, NewSubscription ifNew) {}

    /**
     * Reads the command of a client.
     *
     * @throws BrokerException for a value that is not valid, or asks for what the broker does not support
     */
    static Subscribing parse(CommandSubscribe command, String peer) {
        String subscription = command.getSubscription();
        if (subscription.isEmpty()) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "a subscription needs a name, but this one is empty");
        }
        TopicName topic = TopicName.parse(command.getTopic());
        requireFree(subscription, topic);
        SubscriptionType type = type(command.getSubType());
        if (command.hasReadCompacted() && command.isReadCompacted() && !topic.isPersistent()) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "readCompacted only valid on persistent topics, and not on " + topic);
        }
        if (command.hasReadCompacted() && command.isReadCompacted() && !type.singleActive()) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "read_compacted is for Exclusive and Failover subscriptions, not for " + type);
        }
        String given = command.hasConsumerName() ? command.getConsumerName() : "";
        String name = given.isEmpty() ? peer + "-" + command.getConsumerId() : given;
        KeySharedOptions keyShared = keyShared(command, type);
        // A client drops what is of an earlier epoch, to get it again: where nothing is stored it would be lost.
        boolean hasEpoch = command.hasConsumerEpoch() && topic.isPersistent();
        return new Subscribing(
                topic,
                command.isForceTopicCreation(),
                new Subscription(
                        subscription, command.isDurable(), new NewSubscription(start(command), properties(command))),
                new ConsumerOptions(command.getConsumerId(), name, type, command.getPriorityLevel(), keyShared),
                hasEpoch ? command.getConsumerEpoch() : NO_EPOCH);
    }

    /** Refuses a reserved name, by the error that Pulsar has for it. */
    private static void requireFree(String subscription, TopicName topic) {
        if (subscription.startsWith(OF_REPLICATION)
                || (topic.isPersistent() && subscription.equals(OF_DEDUPLICATION))) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "Subscription with reserved subscription name attempted: " + subscription
                            + ", choose a name that is not " + OF_DEDUPLICATION + " and does not begin with "
                            + OF_REPLICATION);
        }
    }

    long consumerId() {
        return consumer.consumerId();
    }

    /** Names the consumer in messages for people. */
    String description() {
        return "consumer " + consumer.name() + " (id " + consumerId() + ") of " + subscription.name() + " on "
                + topic.full();
    }

    /** What the consumer takes of the broker's memory, in bytes. */
    long weight() {
        long bytes = Weights.consumer(topic.full(), subscription.name(), consumer.name());
        KeySharedOptions keyShared = consumer.keyShared();
        if (keyShared != null) {
            bytes += Weights.HASH_RANGE * keyShared.stickyRanges().size();
        }
        bytes += Weights.properties(subscription.ifNew().properties());
        return consumer.type() == SubscriptionType.KEY_SHARED ? bytes + Weights.KEY_SHARE : bytes;
    }

    SubscribeRequest request(ConsumerLink link) {
        return new SubscribeRequest(subscription.name(), subscription.durable(), subscription.ifNew(), link, consumer);
    }

    /** The last of those of one key, as in a map. */
    private static Map<String, String> properties(CommandSubscribe command) {
        Map<String, String> properties = new HashMap<>();
        command.getSubscriptionPropertiesList()
                .forEach(property -> properties.put(property.getKey(), property.getValue()));
        return properties;
    }

    private static SubscriptionType type(CommandSubscribe.SubType type) {
        return switch (type) {
            case Exclusive -> SubscriptionType.EXCLUSIVE;
            case Shared -> SubscriptionType.SHARED;
            case Failover -> SubscriptionType.FAILOVER;
            case Key_Shared -> SubscriptionType.KEY_SHARED;
        };
    }

    private static StartAt start(CommandSubscribe command) {
        long rollbackSeconds =
                command.hasStartMessageRollbackDurationSec() ? command.getStartMessageRollbackDurationSec() : 0;
        if (rollbackSeconds > 0) {
            return new StartAt.Time(System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(rollbackSeconds));
        }
        if (!command.isDurable() && command.hasStartMessageId()) {
            return startAt(command.getStartMessageId());
        }
        return command.getInitialPosition() == CommandSubscribe.InitialPosition.Earliest
                ? StartAt.EARLIEST
                : StartAt.LATEST;
    }

    /** A reader gets the entry it names; the client itself drops the messages of it that it does not want. */
    private static StartAt startAt(MessageIdData id) {
        long ledgerId = id.getLedgerId();
        if (ledgerId == Long.MAX_VALUE) {
            return StartAt.LATEST;
        }
        if (ledgerId < 0) {
            return StartAt.EARLIEST;
        }
        return new StartAt.After(new Position(ledgerId, Math.max(id.getEntryId(), 0) - 1));
    }

    private static @Nullable KeySharedOptions keyShared(CommandSubscribe command, SubscriptionType type) {
        if (!command.hasKeySharedMeta()) {
            return null;
        }
        KeySharedMeta meta = command.getKeySharedMeta();
        boolean outOfOrder = meta.isAllowOutOfOrderDelivery();
        return switch (type) {
            case SHARED, FAILOVER -> null;
            case EXCLUSIVE -> meta.getHashRangesCount() == 0 ? null : KeySharedOptions.sticky(ranges(meta), outOfOrder);
            case KEY_SHARED ->
                meta.getKeySharedMode() == KeySharedMode.STICKY
                        ? KeySharedOptions.sticky(ranges(meta), outOfOrder)
                        : KeySharedOptions.autoSplit(outOfOrder);
        };
    }

    private static List<KeySharedOptions.HashRange> ranges(KeySharedMeta meta) {
        return meta.getHashRangesList().stream()
                .map(range -> new KeySharedOptions.HashRange(range.getStart(), range.getEnd()))
                .toList();
    }
}
