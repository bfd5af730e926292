package io.millrace.docs.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.Lifetime;
import io.millrace.junit.Millrace;
import io.millrace.junit.MillraceService;
import io.millrace.junit.WhenLeftOpen;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** The code of docs/guides/testing.md, and of the README's first screen. */
class PulsarTestingGuideTest {
    @Nested
    // snippet: readme
    @Millrace
    class GreetingsTest {
        @Test
        void aGreetingIsStored(PulsarClient client, MillraceService millrace) throws Exception {
            try (Producer<byte[]> producer =
                    client.newProducer().topic(millrace.topic("greetings")).create()) {
                assertThat(producer.send("hello".getBytes(UTF_8))).isNotNull();
            }
        }
    }
    // end

    @Nested
    // snippet: first
    @Millrace
    class OrdersTest {
        @Test
        void anOrderArrives(PulsarClient client, MillraceService millrace) throws Exception {
            String orders = millrace.topic("orders");
            try (Consumer<byte[]> kitchen = client.newConsumer()
                            .topic(orders)
                            .subscriptionName("kitchen")
                            .subscribe();
                    Producer<byte[]> till = client.newProducer().topic(orders).create()) {
                till.send("soup".getBytes(UTF_8));
                Message<byte[]> order = kitchen.receive(10, TimeUnit.SECONDS);
                assertThat(new String(order.getData(), UTF_8)).isEqualTo("soup");
                kitchen.acknowledge(order);
            }
        }
    }
    // end

    @Nested
    // snippet: settings
    @Millrace(lifetime = Lifetime.CLASS, whenLeftOpen = WhenLeftOpen.FAIL, unacked = true)
    class BillingTest {
        @Millrace
        PulsarClient client;

        @Test
        void theTopicThatTheCodeNamesIsThere() throws Exception {
            try (Producer<byte[]> producer =
                    client.newProducer().topic("invoices").create()) {
                assertThat(producer.getTopic()).isEqualTo("invoices"); // persistent://public/default/invoices
            }
        }
    }
    // end

    @Test
    void testNgRunsItsTest() {
        TestNG testNg = new TestNG(false);
        testNg.setTestClasses(new Class<?>[] {InvoicesTest.class});
        testNg.setVerbose(0);
        TestListenerAdapter results = new TestListenerAdapter();
        testNg.addListener(results);
        testNg.run();
        assertThat(testNg.hasFailure()).isFalse();
        assertThat(results.getPassedTests()).hasSize(1);
    }

    /** A test of TestNG. */
    // snippet: testng
    public static class InvoicesTest {
        private MillraceService millrace;
        private PulsarClient client;

        @BeforeClass
        public void connect() throws Exception {
            millrace = MillraceService.shared(InvoicesTest.class);
            client = PulsarClient.builder().serviceUrl(millrace.serviceUrl()).build();
        }

        @org.testng.annotations.Test
        public void anInvoiceIsStored() throws Exception {
            try (Producer<byte[]> producer =
                    client.newProducer().topic(millrace.topic("invoices")).create()) {
                assertThat(producer.send("12 euros".getBytes(UTF_8))).isInstanceOf(MessageId.class);
            }
        }

        @AfterClass
        public void close() throws Exception {
            client.close();
            assertThat(millrace.leftOpenOrUnacked()).hasToString("nothing");
            millrace.close();
        }
    }
    // end
}
