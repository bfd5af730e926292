package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.MillraceService;
import io.millrace.spring.AutoConfigureMillrace;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.pulsar.PulsarConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;
import org.springframework.test.context.TestContextManager;

/** Contexts that differ have brokers of their own, so that their listeners do not take each other's messages. */
@SpringBootTest
@AutoConfigureMillrace
class ContextsTest {
    @Autowired
    MillraceService millrace;

    @Autowired
    PulsarConnectionDetails connection;

    @Test
    void theApplicationIsConnectedToTheBroker() {
        assertThat(connection.getBrokerUrl()).isEqualTo(millrace.serviceUrl());
        assertThat(connection.getAdminUrl()).isEqualTo(millrace.httpServiceUrl());
    }

    @Test
    void aTopicGetsThePartitionsThatItsBeanAsksFor(
            @Autowired PulsarAdministration administration, @Autowired PulsarClient client) throws Exception {
        administration.createOrModifyTopics(new PulsarTopic("persistent://public/default/wide", 3));
        administration.createOrModifyTopics(new PulsarTopic("persistent://public/default/wide", 4));
        assertThat(client.getPartitionsForTopic("wide").get(20, TimeUnit.SECONDS)).hasSize(4);
        administration.createOrModifyTopics(new PulsarTopic("persistent://acme/dev/deep", 0));
        try (PulsarAdmin admin = administration.createAdminClient()) {
            assertThat(admin.topics().getList("acme/dev")).containsExactly("persistent://acme/dev/deep");
            assertThat(admin.topics().getPartitionedTopicList("public/default"))
                    .contains("persistent://public/default/wide");
        }
    }

    @Test
    void anotherContextHasAnotherBroker() throws Exception {
        MillraceService another = OtherContext.service();
        assertThat(another.serviceUrl()).isNotEqualTo(millrace.serviceUrl());
        assertThat(millrace.leftOpen().clients()).as("only this context's client").hasSize(1);
    }

    @SpringBootTest(properties = "spring.pulsar.client.operation-timeout=5s")
    @AutoConfigureMillrace
    static class OtherContext {
        static MillraceService service() throws Exception {
            return new TestContextManager(OtherContext.class)
                    .getTestContext()
                    .getApplicationContext()
                    .getBean(MillraceService.class);
        }
    }
}
