package io.millrace.cli.standalone;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A setting of Pulsar that is known here: it has an equal, or Pulsar would do something that this broker cannot. */
enum PulsarSetting {
    ADVERTISED_ADDRESS("advertisedAddress", "advertised-address"),
    ADVERTISED_LISTENERS("advertisedListeners", "advertised-listeners"),
    BIND_ADDRESS("bindAddress", "bind-address"),
    BROKER_SERVICE_PORT("brokerServicePort", "port"),
    WEB_SERVICE_PORT("webServicePort", "http-port"),
    MAX_MESSAGE_SIZE("maxMessageSize", "max-message-bytes"),
    KEEP_ALIVE_INTERVAL("keepAliveIntervalSeconds", "keep-alive-seconds"),
    AUTO_TOPIC_TYPE("allowAutoTopicCreationType", "auto-topics"),
    DEFAULT_PARTITIONS("defaultNumPartitions", "auto-topic-partitions"),
    SCHEMA_COMPATIBILITY("schemaCompatibilityStrategy", "schema-compatibility"),
    SCHEMA_VALIDATION("isSchemaValidationEnforced", "schema-validation-enforced"),
    SCHEMA_AUTO_UPDATE("isAllowAutoUpdateSchemaEnabled", "schema-auto-update"),
    BACKLOG_QUOTA_CHECK("backlogQuotaCheckIntervalInSeconds", "backlog-quota-check-seconds"),
    RETENTION_CHECK("retentionCheckIntervalInSeconds", "retention-check-seconds"),
    INACTIVE_TOPICS_CHECK("brokerDeleteInactiveTopicsFrequencySeconds", "inactive-topic-check-seconds"),
    MESSAGE_TTL("ttlDurationDefaultInSeconds", "message-ttl-seconds"),
    MESSAGE_EXPIRY_CHECK("messageExpiryCheckIntervalInMinutes", "message-expiry-check-seconds"),
    UNACKED_PER_CONSUMER("maxUnackedMessagesPerConsumer", "max-unacked-per-consumer"),
    UNACKED_PER_SUBSCRIPTION("maxUnackedMessagesPerSubscription", "max-unacked-per-subscription"),
    LEDGER_ENTRIES("managedLedgerMaxEntriesPerLedger", "ledger-entries"),
    /** The listener of these that clients are told that name none. */
    INTERNAL_LISTENER("internalListenerName", null, "(?s).*", ""),
    /** False means never, whatever type of topic is set. */
    AUTO_TOPICS("allowAutoTopicCreation", null, "(?s).*", ""),
    CLUSTER_NAME("clusterName", null, "standalone", "there is one cluster, called standalone: leave the setting out"),
    AUTHENTICATION(
            "authenticationEnabled",
            null,
            Constants.FALSE,
            "there is no authentication, whoever reaches the port is served: leave the setting out, or use Pulsar"),
    AUTHORIZATION(
            "authorizationEnabled",
            null,
            Constants.FALSE,
            "there is no authorization, whoever reaches the port is served: leave the setting out, or use Pulsar"),
    TLS("tlsEnabled", null, Constants.FALSE, Constants.NO_TLS),
    TLS_PORT("brokerServicePortTls", null, "", Constants.NO_TLS),
    WEB_TLS_PORT("webServicePortTls", null, "", Constants.NO_TLS),
    TRANSACTIONS(
            "transactionCoordinatorEnabled",
            null,
            Constants.FALSE,
            "there are no transactions: leave the setting out (withTransactions of Testcontainers), or use Pulsar");

    private static final Map<String, PulsarSetting> BY_KEY =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(setting -> setting.key, setting -> setting));

    private final String key;
    private final @Nullable String equal;
    private final String taken;
    private final String reason;

    PulsarSetting(String key, String equal) {
        this(key, equal, "(?s).*", "");
    }

    PulsarSetting(String key, @Nullable String equal, String taken, String reason) {
        this.key = key;
        this.equal = equal;
        this.taken = taken;
        this.reason = reason;
    }

    static @Nullable PulsarSetting of(String key) {
        return BY_KEY.get(key);
    }

    /** The key of Millrace's setting that means the same; null if there is none. */
    @Nullable
    String equal() {
        return equal;
    }

    /** A value of Pulsar's as that setting has it: with its unit, and with the most that there is for no limit. */
    String valueOfEqual(String value) {
        return switch (this) {
            case MESSAGE_EXPIRY_CHECK ->
                value.matches(Constants.MINUTES)
                        ? Long.toString(TimeUnit.MINUTES.toSeconds(Long.parseLong(value)))
                        : value;
            case UNACKED_PER_CONSUMER, UNACKED_PER_SUBSCRIPTION -> value.equals("0") ? Constants.MOST_UNACKED : value;
            default -> value;
        };
    }

    /** Why a broker with that value would not be what was asked for; null if it is. */
    @Nullable
    String refusal(String value) {
        return value.matches(taken) ? null : reason;
    }

    /** What constants above are made with. */
    private static final class Constants {
        static final String FALSE = "(?i)false";
        static final String MINUTES = "\\d{1,9}";
        static final String MOST_UNACKED = "16_000_000";
        static final String NO_TLS =
                "there is no TLS, nothing would be encrypted: leave the setting out, or use Pulsar";
    }
}
