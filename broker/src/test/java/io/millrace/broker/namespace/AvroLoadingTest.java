package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AvroLoadingTest {
    private static final String CLASS_OF_AVRO = " io.millrace.avro.";

    @TempDir
    Path folder;

    /** Starts a broker, in a JVM of its own, and sets a schema. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (Broker broker =
                    Broker.start(BrokerConfig.defaults(Path.of(arguments[0])).withPort(0))) {
                await(broker.namespaces()
                        .schemas()
                        .post(TopicName.parse("x"), arguments[1].equals("avro") ? SchemasTest.ID : SchemasTest.TEXT));
            }
        }
    }

    @Test
    void avroIsLoadedForTheFirstSchemaThatNeedsIt() throws Exception {
        assertThat(loadedBy("text")).contains("SchemaRules").doesNotContain(CLASS_OF_AVRO);
        assertThat(loadedBy("avro")).contains(CLASS_OF_AVRO);
    }

    private String loadedBy(String schema) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        folder.resolve(schema).toString(),
                        schema)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
