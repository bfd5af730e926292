package io.millrace.cli.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.broker.BrokerConfig;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulsarSettingsTest {
    @TempDir
    private Path folder;

    private Path settings;

    @BeforeEach
    void write() throws IOException {
        settings = Files.writeString(folder.resolve("millrace.properties"), "port=7000\nauto-topic-partitions=2\n");
    }

    @Test
    void whatHasAnEqualIsSet() {
        PulsarSettings pulsar = given(Map.of(
                "PULSAR_PREFIX_advertisedAddress", "broker.example",
                "PULSAR_PREFIX_advertisedListeners", "outside:pulsar://broker.example:7001",
                "PULSAR_PREFIX_allowAutoTopicCreationType", "partitioned",
                "PULSAR_PREFIX_defaultNumPartitions", "3",
                "PULSAR_PREFIX_webServicePort", "0",
                "PULSAR_PREFIX_clusterName", "standalone",
                "PULSAR_PREFIX_transactionCoordinatorEnabled", "False",
                "PULSAR_MEM", "-Xmx8g",
                "PATH", "/bin"));
        BrokerConfig config = pulsar.over(settings);
        assertThat(config)
                .isEqualTo(BrokerConfig.defaults(Path.of("data"))
                        .withPort(7000)
                        .withHttpPort(0)
                        .withAdvertisedAddress("broker.example")
                        .withAdvertisedListeners("outside:pulsar://broker.example:7001")
                        .withNamespaces(config.namespaces()));
        assertThat(config.namespaces().topics()).hasToString(topics("partitioned", 3));
        assertThat(pulsar.warnings()).isEmpty();
    }

    @Test
    void limitsAndIntervalsAreSetInTheUnitsOfEach() {
        BrokerConfig config = given(Map.of(
                        "PULSAR_PREFIX_maxUnackedMessagesPerConsumer", "5",
                        "PULSAR_PREFIX_maxUnackedMessagesPerSubscription", "0",
                        "PULSAR_PREFIX_messageExpiryCheckIntervalInMinutes", "2",
                        "PULSAR_PREFIX_managedLedgerMaxEntriesPerLedger", "7"))
                .over(settings);
        BrokerConfig own = given(Map.of(
                        "MILLRACE_SETTING_MAX_UNACKED_PER_CONSUMER", "5",
                        "MILLRACE_SETTING_MAX_UNACKED_PER_SUBSCRIPTION", "16_000_000",
                        "MILLRACE_SETTING_MESSAGE_EXPIRY_CHECK_SECONDS", "120",
                        "MILLRACE_SETTING_LEDGER_ENTRIES", "7"))
                .over(settings);
        assertThat(config.toString()).isEqualTo(own.toString());
        assertThat(config.log().ledgers().entries()).isEqualTo(7);
        for (String wrong : Set.of("0", "many", "9999999999999999999")) {
            assertThatExceptionOfType(CommandFailure.class)
                    .isThrownBy(() -> given(Map.of("PULSAR_PREFIX_messageExpiryCheckIntervalInMinutes", wrong))
                            .over(settings))
                    .withMessageContaining("it comes from PULSAR_PREFIX_messageExpiryCheckIntervalInMinutes");
        }
    }

    @Test
    void whoNamesNoListenerIsToldTheInternalOne() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PULSAR_PREFIX_advertisedListeners",
                "external:pulsar://192.168.1.5:16650,internal:pulsar://pulsar:6650,other:pulsar://other:1"));
        assertThat(told(environment, "")).isEqualTo("pulsar://192.168.1.5:16650");
        environment.put("PULSAR_PREFIX_internalListenerName", "internal");
        assertThat(told(environment, "")).isEqualTo("pulsar://pulsar:6650");
        assertThat(told(environment, "external")).isEqualTo("pulsar://192.168.1.5:16650");
        assertThat(told(environment, "other")).isEqualTo("pulsar://other:1");
        assertThat(given(environment).warnings()).isEmpty();
        environment.put("PULSAR_PREFIX_internalListenerName", "inside");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> given(environment).over(settings))
                .withMessageContaining("PULSAR_PREFIX_internalListenerName is inside")
                .withMessageContaining("external, internal, other")
                .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    /** As with Pulsar: it names one of those that are advertised. */
    @Test
    void theInternalListenerOfNoneHasNoEffect() {
        assertThat(told(Map.of("internalListenerName", "inside"), "")).isNull();
    }

    private @Nullable String told(Map<String, String> environment, String listener) {
        return given(environment).over(settings).server().address().advertised(listener);
    }

    @Test
    void topicsThatNobodyMayMakeAreNotMade() {
        BrokerConfig config = given(Map.of(
                        "PULSAR_PREFIX_allowAutoTopicCreation", "false",
                        "PULSAR_PREFIX_allowAutoTopicCreationType", "partitioned"))
                .over(settings);
        assertThat(config.namespaces().topics()).hasToString(topics("never", 2));
        BrokerConfig own = given(Map.of(
                        "PULSAR_PREFIX_allowAutoTopicCreation", "false",
                        "MILLRACE_SETTING_AUTO_TOPICS", "partitioned"))
                .over(settings);
        assertThat(own.namespaces().topics()).hasToString(topics("partitioned", 2));
    }

    private String topics(String type, int partitions) {
        return given(Map.of(
                        "MILLRACE_SETTING_AUTO_TOPICS",
                        type,
                        "MILLRACE_SETTING_AUTO_TOPIC_PARTITIONS",
                        Integer.toString(partitions)))
                .over(settings)
                .namespaces()
                .topics()
                .toString();
    }

    @Test
    void theEnvironmentWinsOverPulsarsFile() throws IOException {
        Path file = Files.writeString(
                folder.resolve("standalone.conf"),
                "# comment\nbrokerServicePort=1\nwebServicePort=8081\nadvertisedAddress=\nzookeeperServers=\nloadBalancer=x\n");
        PulsarSettings pulsar = new PulsarSettings();
        pulsar.addFile(file);
        pulsar.addEnvironment(Map.of("brokerServicePort", "2"));
        BrokerConfig config = pulsar.over(settings);
        assertThat(config.server().address().port()).isEqualTo(2);
        assertThat(config.server().address().advertisedAddress()).isNull();
        assertThat(config.http().port()).isEqualTo(8081);
        assertThat(pulsar.warnings()).containsExactly(file + " has 2 settings that have no effect here");
    }

    @Test
    void thePrefixWinsOverTheBareNameAndMillracesOwnOverBoth() {
        Map<String, String> environment = new HashMap<>(Map.of("webServicePort", "1"));
        assertThat(given(environment).over(settings).http().port()).isEqualTo(1);
        environment.put("PULSAR_PREFIX_webServicePort", "2");
        assertThat(given(environment).over(settings).http().port()).isEqualTo(2);
        environment.put("MILLRACE_SETTING_HTTP_PORT", "3");
        assertThat(given(environment).over(settings).http().port()).isEqualTo(3);
    }

    @Test
    void hostsThatAreSetAreKnownBesideThoseOfContainers() throws IOException {
        Path image = Path.of("..", "container", "pulsar", "conf", "millrace.properties");
        assertThat(Files.readAllLines(image)).contains("http-hosts=" + PulsarSettings.CONTAINER_HOSTS);
        assertThat(hosts("docker.example"))
                .contains("docker.example")
                .contains(PulsarSettings.CONTAINER_HOSTS.split(","))
                .hasSize(5);
        assertThat(hosts("")).isEmpty();
    }

    private Set<String> hosts(String set) {
        return given(Map.of("MILLRACE_SETTING_HTTP_HOSTS", set))
                .over(settings)
                .http()
                .hosts();
    }

    @Test
    void eachSettingWithoutAnEqualIsNamedOnce() {
        PulsarSettings pulsar = given(Map.of(
                "PULSAR_PREFIX_brokerDeduplicationEnabled", "true",
                "PULSAR_PREFIX_systemTopicEnabled", "true",
                "PULSAR_PREFIX_nothing", "",
                "someVariable", "x"));
        assertThat(pulsar.warnings())
                .containsExactly(
                        "PULSAR_PREFIX_brokerDeduplicationEnabled has no effect here",
                        "PULSAR_PREFIX_systemTopicEnabled has no effect here");
        assertThat(pulsar.over(settings)).isEqualTo(given(Map.of()).over(settings));
    }

    @Test
    void whatWouldBeLessSafeThanAskedForIsRefused() throws IOException {
        Map<String, String> refused = new HashMap<>(Map.of(
                "PULSAR_PREFIX_authenticationEnabled", "true",
                "authenticationEnabled", "yes",
                "PULSAR_PREFIX_authorizationEnabled", "TRUE",
                "PULSAR_PREFIX_tlsEnabled", "true",
                "PULSAR_PREFIX_brokerServicePortTls", "6651",
                "webServicePortTls", "8443",
                "PULSAR_PREFIX_transactionCoordinatorEnabled", "true",
                "PULSAR_PREFIX_clusterName", "other"));
        refused.forEach((name, value) -> {
            assertThatExceptionOfType(CommandFailure.class)
                    .isThrownBy(() -> given(Map.of(name, value)))
                    .withMessageStartingWith(name + " is " + value + ", but there ")
                    .satisfies(refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.USAGE));
        });
        Path file = Files.writeString(folder.resolve("standalone.conf"), "authenticationEnabled=true\n");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> new PulsarSettings().addFile(file))
                .withMessageStartingWith(
                        "authenticationEnabled in " + file + " is true, but there is no authentication");
    }

    @Test
    void aValueThatMakesNoSenseIsRefusedByWhereItComesFrom() {
        assertRefused("PULSAR_PREFIX_defaultNumPartitions", "many", "auto-topic-partitions is 'many'");
        assertRefused("PULSAR_PREFIX_advertisedListeners", "a:pulsar+ssl://b:1", "advertised-listeners is");
        assertRefused("PULSAR_PREFIX_allowAutoTopicCreationType", "x\ny", "auto-topics is 'x\ny'");
        assertRefused("PULSAR_PREFIX_webServicePort", "99999", "http-port is '99999'");
        assertRefused("MILLRACE_SETTING_NO_SUCH", "1", "unknown key 'no-such'");
    }

    private void assertRefused(String name, String value, String reason) {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> given(Map.of(name, value)).over(settings))
                .withMessageContaining(reason)
                .withMessageEndingWith("; it comes from " + name);
    }

    private static PulsarSettings given(Map<String, String> environment) {
        PulsarSettings pulsar = new PulsarSettings();
        pulsar.addEnvironment(environment);
        return pulsar;
    }
}
