package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MillraceServiceTest {
    /** A machine that stands still for the second that is waited spoils one, not each. */
    private static final int ATTEMPTS = 3;

    @TempDir
    Path folder;

    @Test
    @Behaviour("TST-5")
    void aServiceOfItsOwnServesShortNamesAndLeavesNothingBehind() throws Exception {
        MillraceService service = MillraceService.start();
        Path data = service.folder();
        try (service;
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(service.serviceUrl()).build()) {
            assertThat(service.namespace()).isEqualTo("public/default");
            assertThat(service.topic("orders")).isEqualTo("persistent://public/default/orders");
            Samples.exchange(client, "orders", "hello");
            assertThat(service.leftOpen().toString()).contains("the client Pulsar-Java");
            assertThat(Files.exists(data)).isTrue();
        }
        assertThat(Files.exists(data)).isFalse();
    }

    @Test
    @Behaviour("TST-5")
    void aNamedFolderIsKeptAndOneThatIsInUseIsRefused() {
        try (MillraceService service = MillraceService.start(folder)) {
            assertThat(service.leftOpenOrUnacked()).hasToString("nothing");
            assertThatThrownBy(() -> MillraceService.start(folder))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(folder.toString());
        }
        assertThat(folder).isNotEmptyDirectory();
    }

    /** As tests set them by a container's environment. */
    @Test
    @Behaviour("TST-5")
    void aBrokerHasTheSettingsThatItIsGiven() throws Exception {
        MillraceService service =
                MillraceService.start(Map.of("auto-topics", "partitioned", "auto-topic-partitions", "3"));
        Path data = service.folder();
        try (service;
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(service.serviceUrl()).build()) {
            assertThat(client.getPartitionsForTopic("orders", true).get(20, TimeUnit.SECONDS))
                    .hasSize(3);
        }
        assertThat(Files.exists(data)).isFalse();
        try (MillraceService kept = MillraceService.start(Map.of("data-folder", folder.toString()))) {
            assertThat(kept.folder()).isEqualTo(folder);
        }
        assertThat(folder).isNotEmptyDirectory();
        MillraceService temporary =
                MillraceService.start(Map.of("data-folder", " ")); // as of a variable that is not set
        temporary.close();
        assertThat(Files.exists(temporary.folder())).isFalse();
        assertThatThrownBy(() -> MillraceService.start(Map.of("auto-topic", "never")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown key 'auto-topic'; the known keys are")
                .hasMessageContaining("auto-topics");
    }

    @Test
    @Behaviour("TST-5")
    void largerMessagesNeedNoOtherSetting() throws Exception {
        byte[] large = new byte[9 << 20];
        try (MillraceService service = MillraceService.start(Map.of("max-message-bytes", "10_485_760"));
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("orders")
                        .subscriptionName("kitchen")
                        .subscribe();
                Producer<byte[]> producer = client.newProducer()
                        .topic("orders")
                        .enableBatching(false)
                        .create()) {
            producer.send(large);
            assertThat(consumer.receive(20, TimeUnit.SECONDS).getData()).hasSameSizeAs(large);
        }
    }

    @Test
    @Behaviour("TST-2")
    void theSharedBrokerGoesOnWhenOneOfItsServicesIsClosed() {
        MillraceService one = MillraceService.shared(MillraceServiceTest.class);
        one.close();
        try (MillraceService other = MillraceService.shared(MillraceServiceTest.class)) {
            assertThat(other.broker()).isSameAs(one.broker());
            assertThat(other.namespace()).isNotEqualTo(one.namespace());
            assertThat(other.leftOpen().isEmpty()).isTrue();
        }
    }

    @Test
    @Behaviour("TST-2")
    void theNamespaceOfAClassIsThereForAdminClientsAndOthersAreMadeOnUse() throws Exception {
        MillraceService service = MillraceService.shared(MillraceServiceTest.class);
        String orders = service.topic("orders");
        String elsewhere = "persistent://" + MillraceServiceTest.class.getSimpleName() + "/shop/orders";
        try (PulsarAdmin admin =
                PulsarAdmin.builder().serviceHttpUrl(service.httpServiceUrl()).build()) {
            assertThat(admin.topics().getList(service.namespace())).isEmpty();
            assertThat(admin.namespaces().getPolicies(service.namespace())).isNotNull();
            admin.topics().createPartitionedTopic(orders, 3);
            assertThat(admin.topics().getPartitionedTopicMetadata(orders).partitions)
                    .isEqualTo(3);
            admin.topics().createNonPartitionedTopic(elsewhere);
            admin.topics().delete(elsewhere);
        }
    }

    @Test
    @Behaviour("TST-3")
    void onABrokerOfItsOwnEveryNamespaceCounts() throws Exception {
        try (MillraceService service = MillraceService.start();
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
                Producer<byte[]> producer =
                        client.newProducer().topic("shop/other/orders").create()) {
            assertThat(service.leftOpen().toString()).contains(producer.getProducerName(), "shop/other/orders");
        }
    }

    @Test
    @Behaviour("TST-3")
    void anAcknowledgementThatTheClientSendsLaterIsWaitedFor() throws Exception {
        try (MillraceService service = MillraceService.start();
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("orders")
                        .subscriptionName("kitchen")
                        .acknowledgmentGroupTime(300, TimeUnit.MILLISECONDS)
                        .subscribe();
                Producer<byte[]> producer = client.newProducer().topic("orders").create()) {
            boolean isWaitedFor = false;
            for (int i = 0; i < ATTEMPTS && !isWaitedFor; i++) {
                producer.send(new byte[1]);
                consumer.acknowledge(consumer.receive(20, TimeUnit.SECONDS));
                isWaitedFor = service.leftOpenOrUnacked().unacked().isEmpty();
            }
            assertThat(isWaitedFor).isTrue();
        }
    }

    @Test
    void aTopicThatNamesANamespaceIsRefused() {
        MillraceService service = MillraceService.shared(MillraceServiceTest.class);
        assertThatThrownBy(() -> service.topic("persistent://a/b/c")).hasMessageContaining("persistent://a/b/c");
    }
}
