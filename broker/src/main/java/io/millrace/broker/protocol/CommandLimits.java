package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandConnect;
import io.millrace.wire.CommandGetTopicsOfNamespace;
import io.millrace.wire.CommandLookupTopic;
import io.millrace.wire.CommandPartitionedTopicMetadata;
import io.millrace.wire.CommandProducer;
import io.millrace.wire.CommandRedeliverUnacknowledgedMessages;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandWatchTopicList;
import io.millrace.wire.KeyLongValue;
import io.millrace.wire.KeyValue;
import io.millrace.wire.Schema;
import io.netty.buffer.ByteBufUtil;
import java.util.List;

/** Checks every command against the {@link FieldLimit}s of its fields, before anything else is done with it. */
final class CommandLimits {
    private CommandLimits() {}

    /**
     * Does nothing if every field is within its limit; commands that are refused anyway are not looked at.
     *
     * @throws BrokerException naming the first field that is not
     */
    static void check(BaseCommand command) {
        switch (command.getType()) {
            case ACK -> check(command.getAck());
            case REDELIVER_UNACKNOWLEDGED_MESSAGES -> check(command.getRedeliverUnacknowledgedMessages());
            case CONNECT -> check(command.getConnect());
            case PARTITIONED_METADATA -> check(command.getPartitionMetadata());
            case LOOKUP -> check(command.getLookupTopic());
            case PRODUCER -> check(command.getProducer());
            case SUBSCRIBE -> check(command.getSubscribe());
            case SEEK ->
                FieldLimit.ACK_SET.check(
                        command.getSeek().hasMessageId()
                                ? command.getSeek().getMessageId().getAckSetsCount()
                                : 0);
            case GET_TOPICS_OF_NAMESPACE -> check(command.getGetTopicsOfNamespace());
            case WATCH_TOPIC_LIST -> check(command.getWatchTopicList());
            case GET_SCHEMA ->
                FieldLimit.TOPIC.check(command.getGetSchema().getTopic().length());
            case GET_OR_CREATE_SCHEMA -> {
                FieldLimit.TOPIC.check(command.getGetOrCreateSchema().getTopic().length());
                check(command.getGetOrCreateSchema().getSchema());
            }
            default -> {}
        }
    }

    private static void check(CommandAck ack) {
        int ids = ack.getMessageIdsCount();
        FieldLimit.MESSAGE_IDS.check(ids);
        for (int i = 0; i < ids; i++) {
            FieldLimit.ACK_SET.check(ack.getMessageIdAt(i).getAckSetsCount());
        }
        if (ack.getPropertiesCount() > 0) {
            FieldLimit.PROPERTY_COUNT.check(ack.getPropertiesCount());
            FieldLimit.PROPERTY_CHARS.check(ack.getPropertiesList().stream()
                    .map(KeyLongValue::getKey)
                    .mapToLong(String::length)
                    .sum());
        }
    }

    private static void check(CommandRedeliverUnacknowledgedMessages redeliver) {
        int ids = redeliver.getMessageIdsCount();
        FieldLimit.MESSAGE_IDS.check(ids);
        for (int i = 0; i < ids; i++) {
            FieldLimit.ACK_SET.check(redeliver.getMessageIdAt(i).getAckSetsCount());
        }
    }

    private static void check(CommandConnect connect) {
        FieldLimit.TEXT.check(connect.getClientVersion().length());
        FieldLimit.TEXT.check(
                connect.hasAuthMethodName() ? connect.getAuthMethodName().length() : 0);
        FieldLimit.CREDENTIALS.check(connect.hasAuthData() ? connect.getAuthDataSize() : 0);
        FieldLimit.TEXT.check(
                connect.hasProxyToBrokerUrl() ? connect.getProxyToBrokerUrl().length() : 0);
        FieldLimit.TEXT.check(
                connect.hasProxyVersion() ? connect.getProxyVersion().length() : 0);
        checkOriginal(
                connect.hasOriginalPrincipal() ? connect.getOriginalPrincipal() : "",
                connect.hasOriginalAuthData() ? connect.getOriginalAuthData() : "",
                connect.hasOriginalAuthMethod() ? connect.getOriginalAuthMethod() : "");
    }

    private static void check(CommandPartitionedTopicMetadata question) {
        FieldLimit.TOPIC.check(question.getTopic().length());
        checkOriginal(
                question.hasOriginalPrincipal() ? question.getOriginalPrincipal() : "",
                question.hasOriginalAuthData() ? question.getOriginalAuthData() : "",
                question.hasOriginalAuthMethod() ? question.getOriginalAuthMethod() : "");
    }

    private static void check(CommandLookupTopic lookup) {
        FieldLimit.TOPIC.check(lookup.getTopic().length());
        checkOriginal(
                lookup.hasOriginalPrincipal() ? lookup.getOriginalPrincipal() : "",
                lookup.hasOriginalAuthData() ? lookup.getOriginalAuthData() : "",
                lookup.hasOriginalAuthMethod() ? lookup.getOriginalAuthMethod() : "");
        FieldLimit.TEXT.check(
                lookup.hasAdvertisedListenerName()
                        ? lookup.getAdvertisedListenerName().length()
                        : 0);
        checkProperties(lookup.getPropertiesList());
    }

    private static void check(CommandGetTopicsOfNamespace list) {
        FieldLimit.NAMESPACE.check(list.getNamespace().length());
        FieldLimit.TEXT.check(list.hasTopicsHash() ? list.getTopicsHash().length() : 0);
        checkProperties(list.getPropertiesList());
    }

    private static void check(CommandWatchTopicList watch) {
        FieldLimit.NAMESPACE.check(watch.getNamespace().length());
        FieldLimit.TOPICS_PATTERN.check(watch.getTopicsPattern().length());
        FieldLimit.TEXT.check(watch.hasTopicsHash() ? watch.getTopicsHash().length() : 0);
    }

    private static void check(CommandProducer producer) {
        FieldLimit.TOPIC.check(producer.getTopic().length());
        FieldLimit.PRODUCER_NAME.check(
                producer.hasProducerName() ? ByteBufUtil.utf8Bytes(producer.getProducerName()) : 0);
        FieldLimit.SUBSCRIPTION.check(
                producer.hasInitialSubscriptionName()
                        ? producer.getInitialSubscriptionName().length()
                        : 0);
        checkProperties(producer.getMetadatasList());
        if (producer.hasSchema()) {
            check(producer.getSchema());
        }
    }

    private static void check(CommandSubscribe subscribe) {
        FieldLimit.TOPIC.check(subscribe.getTopic().length());
        FieldLimit.SUBSCRIPTION.check(subscribe.getSubscription().length());
        FieldLimit.CONSUMER_NAME.check(
                subscribe.hasConsumerName() ? subscribe.getConsumerName().length() : 0);
        checkProperties(subscribe.getMetadatasList());
        checkProperties(subscribe.getSubscriptionPropertiesList());
        FieldLimit.KEY_RANGES.check(
                subscribe.hasKeySharedMeta() ? subscribe.getKeySharedMeta().getHashRangesCount() : 0);
        FieldLimit.ACK_SET.check(
                subscribe.hasStartMessageId() ? subscribe.getStartMessageId().getAckSetsCount() : 0);
        if (subscribe.hasSchema()) {
            check(subscribe.getSchema());
        }
    }

    private static void check(Schema schema) {
        FieldLimit.TEXT.check(schema.getName().length());
        FieldLimit.SCHEMA_DATA.check(schema.getSchemaDataSize());
        checkProperties(schema.getPropertiesList());
    }

    /** The fields that name a proxy's client. */
    private static void checkOriginal(String principal, String credentials, String method) {
        FieldLimit.TEXT.check(principal.length());
        FieldLimit.CREDENTIALS.check(credentials.length());
        FieldLimit.TEXT.check(method.length());
    }

    private static void checkProperties(List<KeyValue> properties) {
        FieldLimit.PROPERTY_COUNT.check(properties.size());
        long chars = 0;
        for (KeyValue property : properties) {
            chars += property.getKey().length() + property.getValue().length();
        }
        FieldLimit.PROPERTY_CHARS.check(chars);
    }
}
