package io.millrace.broker.fuzz;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.protocol.ServerSettings;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaRules;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.topic.TopicName;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A broker in a process of its own; it says its port, then, for each line that it is sent, its live heap in bytes and what
 * takes memory. A line that is not empty is the beginning of the names of topics that are deleted first.
 */
final class BrokerProgram {
    private static final int COLLECTIONS = 3;
    private static final int MIB = 1 << 20;

    private BrokerProgram() {}

    public static void main(String[] arguments) throws Exception {
        loadAvro();
        BrokerConfig defaults = BrokerConfig.defaults(Path.of(arguments[0])).withPort(0);
        ServerSettings server = defaults.server();
        BrokerConfig config = defaults.withServer(
                        server.withLimits(server.limits().withMaxPendingPublishes(1_000, 8 * MIB))
                                .withMaxPendingPublishBytes(16 * MIB)
                                .withKeepAlive(Duration.ofHours(1))) // a client that fills it answers no PING
                .withLog(defaults.log()
                        .withJournal(8 * MIB, 2)
                        .withLedgers(4 * MIB, 50_000)
                        .withMemory(2 * MIB, 4 * MIB));
        try (Broker broker = Broker.start(config);
                BufferedReader questions =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(broker.port());
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                if (!line.isEmpty()) {
                    deleteTopics(broker.namespaces(), line);
                }
                System.out.println(liveHeapBytes() + " " + broker.memoryUse());
            }
        }
    }

    /** One that is opened meanwhile may stay. */
    private static void deleteTopics(Namespaces names, String prefix) {
        NamespaceName namespace = NamespaceName.of(TopicName.parse(prefix));
        for (String topic : names.topics(namespace).toCompletableFuture().join()) {
            if (topic.startsWith(prefix)) {
                names.deleteTopic(TopicName.parse(topic), true)
                        .toCompletableFuture()
                        .exceptionally(busy -> null)
                        .join();
            }
        }
    }

    /** Its classes are loaded once, with the first schema that needs them: that is no growth. */
    private static void loadAvro() {
        SchemaContent content = new SchemaContent(
                SchemaType.AVRO,
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}".getBytes(StandardCharsets.UTF_8),
                Map.of());
        SchemaRules.requireSound(content);
        SchemaRules.requireCompatible(content, List.of(new StoredSchema(0, 0, content)), Compatibility.FULL);
    }

    private static long liveHeapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
