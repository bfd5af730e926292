package io.millrace.broker.namespace;

import io.millrace.broker.schema.SchemaSettings;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;

/**
 * What is made when clients ask for it. A value out of range is an IllegalArgumentException that names key, value and
 * range.
 *
 * @param topics what a topic that there is not becomes; a namespace's policy of the same key comes first
 * @param namespaces whether a namespace that there is not is made
 * @param schemas what schemas of topics have to comply with
 * @param policies how often the broker does what policies ask for
 */
public record NamespaceSettings(
        AutoTopics topics, boolean namespaces, int maxPartitions, SchemaSettings schemas, PolicySettings policies) {
    private static final TextSetting AUTO_NAMESPACES = new TextSetting(
            "auto-namespaces",
            "never",
            "never or always",
            "Whether a namespace that there is not is made when a client uses a topic in it, or an administrator makes"
                    + " one there or sets a policy. Never: it is refused, as Pulsar does.");

    private static final NumberSetting MAX_PARTITIONS = new NumberSetting(
            "max-partitions-per-topic", 10_000, 1, 100_000, "Partitions of one topic; more are refused.");

    /** The settings of a broker whose file sets none. */
    public static final NamespaceSettings DEFAULTS = of(SettingValues.none());

    public NamespaceSettings {
        MAX_PARTITIONS.require(maxPartitions);
    }

    /** The settings of a configuration file. */
    public static NamespaceSettings of(SettingValues values) {
        AutoTopics topics = AutoTopics.of(values);
        String made = values.text(AUTO_NAMESPACES);
        if (!made.equals("never") && !made.equals("always")) {
            throw AUTO_NAMESPACES.refusal(made);
        }
        return new NamespaceSettings(
                topics,
                made.equals("always"),
                values.integer(MAX_PARTITIONS),
                SchemaSettings.of(values),
                PolicySettings.of(values));
    }

    /** The same with other topics made. */
    public NamespaceSettings withTopics(AutoTopics other) {
        return new NamespaceSettings(other, namespaces, maxPartitions, schemas, policies);
    }

    /** The same, namespaces being made or not. */
    public NamespaceSettings withNamespaces(boolean made) {
        return new NamespaceSettings(topics, made, maxPartitions, schemas, policies);
    }

    /** The same with other rules for schemas. */
    public NamespaceSettings withSchemas(SchemaSettings other) {
        return new NamespaceSettings(topics, namespaces, maxPartitions, other, policies);
    }

    /** The same with other checks of policies. */
    public NamespaceSettings withPolicies(PolicySettings other) {
        return new NamespaceSettings(topics, namespaces, maxPartitions, schemas, other);
    }

    /** Refuses a number of partitions beyond the largest. */
    String refusal(int partitions) {
        return partitions + " partitions: a topic has " + MAX_PARTITIONS.key() + "=" + maxPartitions + " at most";
    }
}
