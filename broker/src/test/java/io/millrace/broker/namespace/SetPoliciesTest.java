package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.topic.TopicName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that would mean something else than they say are refused in the process, as over HTTP. */
@Timeout(60)
class SetPoliciesTest {
    private static final NamespaceName DEV = new NamespaceName("acme", "dev");
    private static final TopicName ORDERS = TopicName.parse("acme/dev/orders");

    @TempDir
    Path folder;

    private NamespacesFixture broker;

    @BeforeEach
    void start() throws Exception {
        broker = new NamespacesFixture(
                LogConfig.defaults(folder).withJournal(1 << 20, 2), new DiskFiles(), NamespaceSettings.DEFAULTS);
        await(broker.names.ensureNamespace(DEV));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retention|1440,0",
                "retention|0,-1",
                "max-consumers-per-topic|4294967297",
                "max-unacked-per-consumer|2147483648",
                "max-unacked-per-subscription|4294967296",
                "dispatch-rate|1,1,false,4294967297",
                "subscription-dispatch-rate|1,1,false,4294967297",
                "subscribe-rate|1,4294967297"
            })
    void oneThatCannotBeMeantIsRefusedEverywhere(String key, String value) throws Exception {
        await(broker.names.createTopic(ORDERS));
        Map<String, String> policies = Map.of(key, value);
        refused(key, broker.names.setPolicy(DEV, key, value));
        refused(key, broker.names.createNamespace(new NamespaceName("acme", "other"), policies));
        refused(key, broker.names.setTopicPolicies(ORDERS, Set.of(), policies));
        refused(key, broker.names.setGlobalTopicPolicies(ORDERS, Set.of(), policies));
        assertThat(await(broker.names.policies(DEV))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retention|0,0",
                "retention|-1,5",
                "max-consumers-per-topic|2147483647",
                "max-unacked-per-consumer|-1",
                "dispatch-rate|1,1,false,2147483647"
            })
    void othersAreSet(String key, String value) throws Exception {
        await(broker.names.setPolicy(DEV, key, value));
        assertThat(await(broker.names.policies(DEV))).containsEntry(key, value);
    }

    @Test
    void oneThatWasStoredBeforeStandsInTheWayOfNothing() throws Exception {
        Map<String, String> before = Map.of("retention", "1440,0", "max-consumers-per-topic", "4294967297");
        await(broker.log.change(new LogChange().set(StoredNames.namespace(DEV), StoredNames.encode(before))));
        broker.close();
        start();
        broker.open(ORDERS.full());
        await(broker.names.setPolicy(DEV, "publish-rate", "10,-1"));
        assertThat(await(broker.names.policies(DEV)))
                .containsAllEntriesOf(before)
                .containsKey("publish-rate");
    }

    private static void refused(String key, CompletionStage<?> asked) {
        assertThatThrownBy(() -> await(asked))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_ALLOWED))
                .hasMessageContaining(key);
    }
}
