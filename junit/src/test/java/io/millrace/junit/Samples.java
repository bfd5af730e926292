package io.millrace.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test classes that the tests of the extension run. */
final class Samples {
    /** What the samples saw, by their names: a service's text, mostly. */
    static final Map<String, String> SEEN = new ConcurrentHashMap<>();

    static final Set<Broker> BROKERS = ConcurrentHashMap.newKeySet();

    private Samples() {}

    static void exchange(PulsarClient client, String topic, String text) throws PulsarClientException {
        try (Consumer<byte[]> consumer =
                        client.newConsumer().topic(topic).subscriptionName("s").subscribe();
                Producer<byte[]> producer = client.newProducer().topic(topic).create()) {
            producer.send(text.getBytes(UTF_8));
            Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(new String(message.getData(), UTF_8)).isEqualTo(text);
            consumer.acknowledge(message);
        }
    }

    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL, unacked = true)
    static class Everywhere {
        @Millrace
        private static Broker ofAll;

        @Millrace
        private MillraceService ofEach;

        private final MillraceService ofConstructor;

        Everywhere(MillraceService service) {
            ofConstructor = service;
        }

        @BeforeAll
        static void before(MillraceService service) {
            SEEN.put("everywhere", service.toString());
        }

        @Test
        void parameters(PulsarClient client, MillraceService service, Broker broker) throws Exception {
            assertThat(service).isSameAs(ofEach).isSameAs(ofConstructor);
            assertThat(broker).isSameAs(ofAll).isSameAs(service.broker());
            exchange(client, service.topic("a"), "hello");
        }

        @Nested
        class Inside {
            @Millrace
            MillraceService mine;

            @Test
            void theSame(MillraceService service) {
                assertThat(service).isSameAs(mine).isSameAs(ofEach).isSameAs(ofConstructor);
            }
        }
    }

    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL)
    static class Administered {
        @Millrace
        static PulsarAdmin ofAll;

        @Millrace
        private PulsarAdmin ofEach;

        @Test
        void parameters(PulsarAdmin admin, MillraceService service) throws Exception {
            assertThat(admin).isSameAs(ofAll).isSameAs(ofEach);
            assertThat(admin.getServiceUrl()).isEqualTo(service.httpServiceUrl());
            admin.topics().createNonPartitionedTopic(service.topic("orders"));
            assertThat(admin.topics().getList(service.namespace())).containsExactly(service.topic("orders"));
            SEEN.put("administered", service.toString());
        }
    }

    /** Nothing is said but at fields, of which the outermost have their broker from the outermost class. */
    static class FieldsAlone {
        @Millrace
        MillraceService outer;

        @Nested
        class Inside {
            @Millrace
            MillraceService mine;

            @Nested
            @Millrace(lifetime = Lifetime.CLASS)
            class WithItsOwn {
                @Millrace
                MillraceService own;

                @Test
                void another() {
                    assertThat(own.namespace()).isEqualTo("public/default");
                }
            }

            @Test
            void theSame() {
                assertThat(mine).isSameAs(outer);
            }
        }
    }

    /** Nothing is said around the class that has a broker. */
    static class InsideAlone {
        @Nested
        @Millrace
        class Inside {
            @Millrace
            MillraceService own;

            @Test
            void hasItsOwn(MillraceService service) {
                assertThat(own).isSameAs(service);
            }
        }
    }

    @Millrace
    static class Another {
        @Test
        void test(MillraceService service) {
            SEEN.put("another", service.toString());
        }
    }

    static class OfAField {
        @Millrace(lifetime = Lifetime.CLASS, whenLeftOpen = WhenLeftOpen.FAIL)
        PulsarClient client;

        @Test
        void one(MillraceService service) throws Exception {
            SEEN.put("field one", service.toString());
            exchange(client, "orders", "short names are of this broker");
        }

        @Test
        void two(MillraceService service) {
            SEEN.put("field two", service.toString());
        }
    }

    @Millrace(lifetime = Lifetime.METHOD)
    static class EachMethod {
        @Millrace
        MillraceService field;

        @Millrace
        Broker broker;

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void run(int number, MillraceService service) {
            assertThat(service).isSameAs(field);
            BROKERS.add(broker); // a port may come again
        }
    }

    /** One instance for all methods, also of the class inside, which has brokers of its own. */
    @Millrace(lifetime = Lifetime.CLASS)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        @Millrace
        MillraceService field;

        private MillraceService ofAll;

        @BeforeAll
        void before(MillraceService service) {
            ofAll = service;
        }

        @Nested
        @Millrace(lifetime = Lifetime.METHOD)
        class Inside {
            @Millrace
            MillraceService own;

            @Test
            void eachHasItsOwn(MillraceService service) {
                assertThat(own).isSameAs(service).isNotSameAs(field);
                assertThat(field).isSameAs(ofAll);
            }
        }
    }

    @Millrace(lifetime = Lifetime.METHOD)
    static class EachMethodWithOneInside {
        @Millrace
        Broker outer;

        @Nested
        @Millrace(lifetime = Lifetime.CLASS)
        class Inside {
            @Millrace
            Broker own;

            @Test
            void bothAreThere() {
                assertThat(outer).isNotNull().isNotSameAs(own);
            }
        }
    }

    @Millrace(lifetime = Lifetime.METHOD)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @Execution(ExecutionMode.CONCURRENT)
    static class OneInstanceForMethodsAtOnce {
        @Millrace
        MillraceService field;

        @Test
        void one() {}
    }

    @Millrace(lifetime = Lifetime.METHOD)
    static class MethodInConstructor {
        MethodInConstructor(MillraceService service) {}

        @Test
        void never() {}
    }

    static class WrongType {
        @Millrace
        static String text;

        @Test
        void never() {}
    }

    @Millrace
    static class TwoSettings {
        @Millrace(lifetime = Lifetime.CLASS)
        static Broker broker;

        @Test
        void never() {}
    }

    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL)
    static class Careless {
        static PulsarClient own;

        @Test
        void leaves(PulsarClient client, MillraceService service) throws Exception {
            client.newProducer()
                    .topic(service.topic("orders"))
                    .producerName("till")
                    .create();
            own = PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
            own.newConsumer()
                    .topic(service.topic("orders"))
                    .subscriptionName("kitchen")
                    .consumerName("cook")
                    .subscribe();
        }
    }

    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL)
    static class CarelessWithItsClient {
        static PulsarClient own;

        @Test
        void leaves(MillraceService service) throws Exception {
            own = PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
            exchange(own, service.topic("orders"), "hello");
        }
    }

    /** When it is asked what is left open, its broker gives no answer any more. */
    @Millrace(lifetime = Lifetime.CLASS, unacked = true)
    static class WithoutAnswers {
        static PulsarClient given;
        static Path folder;

        @Test
        void closesItsBroker(PulsarClient client, MillraceService service) {
            given = client;
            folder = service.folder();
            service.broker().close();
        }
    }

    /** Leaves a client open, and a folder that cannot be deleted. */
    @Millrace(lifetime = Lifetime.CLASS, whenLeftOpen = WhenLeftOpen.FAIL)
    static class CarelessWithItsFolder {
        static PulsarClient given;
        static PulsarClient own;
        static UndeletableFolder folder;

        @Test
        void leaves(PulsarClient client, MillraceService service) throws Exception {
            given = client;
            own = PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
            exchange(own, "orders", "hello");
            folder = UndeletableFolder.in(service.folder());
        }
    }

    @Millrace(unacked = true)
    static class Forgetful {
        @Test
        void leaves(PulsarClient client, MillraceService service) throws Exception {
            try (Consumer<byte[]> consumer = client.newConsumer()
                            .topic(service.topic("orders"))
                            .subscriptionName("kitchen")
                            .subscriptionType(SubscriptionType.Shared)
                            .subscribe();
                    Producer<byte[]> producer =
                            client.newProducer().topic(service.topic("orders")).create()) {
                producer.send(new byte[1]);
                consumer.receive(20, TimeUnit.SECONDS);
            }
        }
    }

    @Millrace(lifetime = Lifetime.CLASS, data = "target/durable")
    static class Durable {
        @Test
        void countsItsRuns(PulsarClient client, MillraceService service) throws Exception {
            String topic = service.topic("runs");
            try (Producer<byte[]> producer = client.newProducer().topic(topic).create()) {
                producer.send(new byte[1]);
            }
            int runs = 0;
            try (Reader<byte[]> reader = client.newReader()
                    .topic(topic)
                    .startMessageId(MessageId.earliest)
                    .create()) {
                while (reader.hasMessageAvailable()) {
                    reader.readNext(20, TimeUnit.SECONDS);
                    runs++;
                }
            }
            SEEN.put("durable", String.valueOf(runs));
        }
    }

    /** Many at once, by classes and by methods. */
    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL, unacked = true)
    abstract static class Busy {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 4})
        void run(int number, PulsarClient client, MillraceService service, TestInfo info) throws Exception {
            SEEN.put(getClass().getSimpleName() + number, service.namespace());
            exchange(client, service.topic("numbers-" + number), info.getDisplayName());
        }
    }

    static final class BusyOne extends Busy {}

    static final class BusyTwo extends Busy {}

    static final class BusyThree extends Busy {}
}
