package io.millrace.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.millrace.testkit.Behaviour;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberRemoval;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** With a client that cannot be described, as those before 4.2, the one that tests are given is told from others all the same. */
@Timeout(120)
class OlderClientTest {
    @TempDir
    Path folder;

    @BeforeEach
    void takeAway() throws IOException {
        new ByteBuddy()
                .redefine(ClientBuilder.class)
                .visit(new MemberRemoval().stripMethods(named("description")))
                .make()
                .saveIn(folder.toFile());
    }

    @Test
    @Behaviour("TST-3")
    void theInjectedClientIsNotTakenForOneThatWasLeftOpen() throws Exception {
        assertThat(failuresOf(Samples.Everywhere.class)).isEmpty();
    }

    @Test
    @Behaviour("TST-3")
    void whatItLeftOpenAndOtherClientsAreTold() throws Exception {
        assertThat(failuresOf(Samples.Careless.class))
                .contains("Careless left open", "producer till of persistent://test/")
                .contains("consumer cook", "of kitchen on persistent://test/")
                .containsOnlyOnce("producer ")
                .containsOnlyOnce("consumer ");
        assertThat(failuresOf(CarelessBesides.class))
                .containsOnlyOnce("the client Pulsar-Java")
                .doesNotContain("consumer", "producer");
    }

    @Test
    @Behaviour("TST-3")
    void whatItDidNotAcknowledgeIsToldAsItStoodBeforeItWasClosed() throws Exception {
        assertThat(failuresOf(ForgetfulToTheEnd.class))
                .contains("consumer ", "subscription kitchen", "sent and not acknowledged: 1");
    }

    /** The failures of a sample that runs in a JVM of its own, with that client. */
    private String failuresOf(Class<?> sample) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        folder + File.pathSeparator + System.getProperty("java.class.path"),
                        Program.class.getName(),
                        sample.getName(),
                        output.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("printed"), UTF_8))
                .isZero();
        return Files.readString(output, UTF_8);
    }

    /** Leaves its own client open; the one that it was given has nothing open. */
    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL)
    static class CarelessBesides {
        static PulsarClient own;

        @Test
        void leaves(PulsarClient client, MillraceService service) throws Exception {
            Samples.exchange(client, service.topic("orders"), "hello");
            own = PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
            Samples.exchange(own, service.topic("orders"), "hello again");
        }
    }

    @Millrace(whenLeftOpen = WhenLeftOpen.FAIL, unacked = true)
    static class ForgetfulToTheEnd {
        @Test
        void leaves(PulsarClient client, MillraceService service) throws Exception {
            Consumer<byte[]> consumer = client.newConsumer()
                    .topic(service.topic("orders"))
                    .subscriptionName("kitchen")
                    .subscribe();
            try (Producer<byte[]> producer =
                    client.newProducer().topic(service.topic("orders")).create()) {
                producer.send(new byte[1]);
            }
            assertThat(consumer.receive(20, TimeUnit.SECONDS)).isNotNull();
        }
    }

    /** Runs a class by JUnit's launcher, and writes down what failed. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(selectClass(Class.forName(arguments[0])))
                                        .build(),
                                summary);
            }
            List<String> failures = summary.getSummary().getFailures().stream()
                    .map(Failure::getException)
                    .map(Throwable::toString)
                    .toList();
            Files.writeString(Path.of(arguments[1]), String.join("\n", failures));
            System.exit(summary.getSummary().getTestsFoundCount() > 0 ? 0 : 1);
        }
    }
}
