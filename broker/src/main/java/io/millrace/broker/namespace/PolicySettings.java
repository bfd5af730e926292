package io.millrace.broker.namespace;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import java.time.Duration;
import java.util.Map;

/**
 * How often the broker does what policies ask for, and what applies without one. A value out of range is an
 * IllegalArgumentException that names key, value and range.
 *
 * @param messageTtlSeconds after which time messages are acknowledged on every subscription; 0 for never
 */
public record PolicySettings(
        long quotaCheckSeconds,
        long expiryCheckSeconds,
        long retentionCheckSeconds,
        long inactiveCheckSeconds,
        long messageTtlSeconds) {
    /** The key of the policy, and of the setting, for {@link #messageTtlSeconds}. */
    public static final String MESSAGE_TTL = "message-ttl-seconds";

    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private static final NumberSetting QUOTA_CHECK = new NumberSetting(
            "backlog-quota-check-seconds",
            60,
            1,
            DAY_SECONDS,
            "How often the backlogs of topics are compared with their quotas, which are policies. A producer that comes"
                    + " is compared with them, too.");

    private static final NumberSetting EXPIRY_CHECK = new NumberSetting(
            "message-expiry-check-seconds",
            300,
            1,
            DAY_SECONDS,
            "How often messages are looked for that are older than their topic keeps them for subscriptions.");

    private static final NumberSetting RETENTION_CHECK = new NumberSetting(
            "retention-check-seconds",
            120,
            1,
            DAY_SECONDS,
            "How often it is looked for messages that every subscription has acknowledged and that need not be retained any"
                    + " longer. For how long they are is a policy.");

    private static final NumberSetting INACTIVE_CHECK = new NumberSetting(
            "inactive-topic-check-seconds",
            60,
            1,
            DAY_SECONDS,
            "How often it is looked for topics that nobody uses, where a policy has them deleted.");

    private static final NumberSetting TTL = new NumberSetting(
            MESSAGE_TTL,
            0,
            0,
            Integer.MAX_VALUE,
            "Messages of that age are acknowledged on every subscription that has not done so; 0 for never. A namespace and"
                    + " a topic may have a policy of their own.");

    /** The settings of a broker whose file sets none. */
    public static final PolicySettings DEFAULTS = of(SettingValues.none());

    public PolicySettings {
        QUOTA_CHECK.require(quotaCheckSeconds);
        EXPIRY_CHECK.require(expiryCheckSeconds);
        RETENTION_CHECK.require(retentionCheckSeconds);
        INACTIVE_CHECK.require(inactiveCheckSeconds);
        TTL.require(messageTtlSeconds);
    }

    /** The settings of a configuration file. */
    public static PolicySettings of(SettingValues values) {
        return new PolicySettings(
                values.number(QUOTA_CHECK),
                values.number(EXPIRY_CHECK),
                values.number(RETENTION_CHECK),
                values.number(INACTIVE_CHECK),
                values.number(TTL));
    }

    /** The same with messages acknowledged after that time where no policy says otherwise; 0 for never. */
    public PolicySettings withMessageTtlSeconds(long seconds) {
        return new PolicySettings(
                quotaCheckSeconds, expiryCheckSeconds, retentionCheckSeconds, inactiveCheckSeconds, seconds);
    }

    /** What it says by the keys of policies, for who asks what applies. */
    Map<String, String> byKey() {
        return messageTtlSeconds == 0 ? Map.of() : Map.of(MESSAGE_TTL, Long.toString(messageTtlSeconds));
    }

    /** The same with checks as often as that. */
    public PolicySettings withChecks(Duration each) {
        return new PolicySettings(
                each.toSeconds(), each.toSeconds(), each.toSeconds(), each.toSeconds(), messageTtlSeconds);
    }
}
