package io.millrace.compatibility;

import io.millrace.compatibility.admin.BacklogScenarios;
import io.millrace.compatibility.admin.ClusterScenarios;
import io.millrace.compatibility.admin.MessageScenarios;
import io.millrace.compatibility.admin.NamespacePolicyScenarios;
import io.millrace.compatibility.admin.NamespaceScenarios;
import io.millrace.compatibility.admin.PartitionScenarios;
import io.millrace.compatibility.admin.SchemaScenarios;
import io.millrace.compatibility.admin.StatsScenarios;
import io.millrace.compatibility.admin.SubscriptionPropertyScenarios;
import io.millrace.compatibility.admin.SubscriptionScenarios;
import io.millrace.compatibility.admin.TenantScenarios;
import io.millrace.compatibility.admin.TopicPolicyScenarios;
import io.millrace.compatibility.admin.TopicRefusals;
import io.millrace.compatibility.admin.TopicScenarios;
import io.millrace.compatibility.messaging.Acknowledgements;
import io.millrace.compatibility.messaging.Contents;
import io.millrace.compatibility.messaging.LiveTopics;
import io.millrace.compatibility.messaging.Partitions;
import io.millrace.compatibility.messaging.Places;
import io.millrace.compatibility.messaging.PolicyEffects;
import io.millrace.compatibility.messaging.Producers;
import io.millrace.compatibility.messaging.SubscriptionTypes;
import io.millrace.compatibility.messaging.Views;
import io.millrace.compatibility.scenario.Scenario;
import io.millrace.compatibility.scenario.Theme;
import io.millrace.compatibility.schema.CompatibilityPairs;
import io.millrace.compatibility.schema.SchemaEvolution;
import io.millrace.compatibility.schema.SchemaKinds;
import java.util.List;
import java.util.stream.Stream;

/** All themes, in the order of the page. */
public final class Catalogue {
    private static final String ADMIN = "PulsarAdmin";
    private static final String JAVA = "Java";
    private static final String BOTH = "Java, PulsarAdmin";

    private Catalogue() {}

    /** Those of administrators, of programs that publish and consume, and of schemas. */
    public static List<Theme> themes() {
        return Stream.of(ofAdministrators(), ofPrograms(), ofSchemas())
                .flatMap(List::stream)
                .toList();
    }

    /** Those that tell the same on a busy machine, as they wait for what comes; programs also wait to see that nothing does. */
    public static List<Theme> themesForAnyMachine() {
        return Stream.of(ofAdministrators(), ofSchemas()).flatMap(List::stream).toList();
    }

    private static List<Theme> ofAdministrators() {
        return List.of(
                new Theme("admin-clusters", "clusters, brokers, lookup", ADMIN, ClusterScenarios::declare),
                new Theme("admin-tenants", "tenants", ADMIN, TenantScenarios::declare),
                new Theme("admin-namespaces", "namespaces", ADMIN, NamespaceScenarios::declare),
                new Theme("admin-topics", "topics", ADMIN, TopicScenarios::declare),
                new Theme("admin-partitions", "partitioned topics", ADMIN, PartitionScenarios::declare),
                new Theme("admin-subscriptions", "subscriptions", ADMIN, SubscriptionScenarios::declare),
                new Theme(
                        "admin-subscription-properties",
                        "properties of subscriptions",
                        ADMIN,
                        SubscriptionPropertyScenarios::declare),
                new Theme("admin-backlogs", "analysis of backlogs", ADMIN, BacklogScenarios::declare),
                new Theme("admin-messages", "single messages", ADMIN, MessageScenarios::declare),
                new Theme("admin-stats", "statistics", ADMIN, StatsScenarios::declare),
                new Theme("admin-schemas", "schemas", ADMIN, SchemaScenarios::declare),
                new Theme("admin-topic-refusals", "topics that are not there", ADMIN, TopicRefusals::declare),
                new Theme(
                        "admin-namespace-policies", "policies of namespaces", ADMIN, NamespacePolicyScenarios::declare),
                new Theme("admin-topic-policies", "policies of topics", ADMIN, TopicPolicyScenarios::declare));
    }

    private static List<Theme> ofPrograms() {
        return List.of(
                new Theme(
                        "subscription-types",
                        "exclusive, failover, shared, key-shared: who gets what, who is refused, what is left to others",
                        JAVA,
                        SubscriptionTypes::declare),
                new Theme(
                        "acknowledgements",
                        "one by one, cumulative, negative, by batch index; timeouts, redelivery counts, dead letters, retries",
                        JAVA,
                        Acknowledgements::declare),
                new Theme(
                        "places",
                        "seeks by id, time, earliest and latest; readers; hasMessageAvailable and getLastMessageId in every state of a topic",
                        JAVA,
                        Places::declare),
                new Theme(
                        "contents",
                        "keys, properties, times, compression, batches, chunks, encryption, delays, empty and null values",
                        JAVA,
                        Contents::declare),
                new Theme(
                        "producers",
                        "access modes, names, duplicates by name and sequence; errors of clients by their class",
                        JAVA,
                        Producers::declare),
                new Theme(
                        "partitions",
                        "partitioned topics with every type of subscription, routing, growth under clients, names",
                        JAVA,
                        Partitions::declare),
                new Theme(
                        "policy-effects",
                        "quotas of backlogs, rates, limits on consumers and messages, delays: what policies make of topics",
                        BOTH,
                        PolicyEffects::declare),
                new Theme(
                        "live-topics",
                        "non-persistent topics: every type of subscription, what is not kept, what is refused",
                        JAVA,
                        LiveTopics::declare),
                new Theme(
                        "views",
                        "table views; consumers of several topics; patterns that find new topics and lose deleted ones",
                        JAVA,
                        Views::declare));
    }

    private static List<Theme> ofSchemas() {
        return List.of(
                new Theme(
                        "schema-kinds",
                        "every type of schema: messages, versions, what the admin client sees, AUTO_CONSUME, AUTO_PRODUCE_BYTES, readers, table views",
                        BOTH,
                        SchemaKinds::declare),
                new Theme(
                        "schema-evolution",
                        "readers and writers of different versions; schemas set first and deleted; policies; keys and values with Key_Shared",
                        BOTH,
                        SchemaEvolution::declare),
                new Theme(
                        "schema-pairs",
                        "every compatibility strategy with every kind of change: the verdict of the admin API, producers and consumers",
                        BOTH,
                        CompatibilityPairs::declare));
    }

    /** The scenarios of all themes. */
    public static List<Scenario> scenarios() {
        return themes().stream().flatMap(theme -> theme.scenarios().stream()).toList();
    }
}
