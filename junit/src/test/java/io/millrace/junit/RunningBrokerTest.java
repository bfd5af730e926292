package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunningBrokerTest {
    private static final Pattern TAIL_CACHE = Pattern.compile("(\\d+) MiB of tail cache");

    @TempDir
    Path folder;

    @Test
    void oneThatDoesNotStartLeavesNoFolderBehindUnlessItWasNamed() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Path named = Files.createDirectory(folder.resolve("named"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refused(temporary, false, taken.getLocalPort());
            refused(named, true, taken.getLocalPort());
        }
        assertThat(temporary).doesNotExist();
        assertThat(named).isNotEmptyDirectory();
    }

    /** Also long after, as topics that nobody uses are told of no more once they have left the memory. */
    @Test
    void messagesThatAClosedConsumerLeftAreToldOfForTheLengthOfATestRun() {
        Duration kept = RunningBroker.config(Map.of(), folder).topics().unloadIdleAfter();
        assertThat(kept).isGreaterThanOrEqualTo(Duration.ofHours(1));
    }

    /** Several contexts of an application have a broker each for as long as they are cached, in one process. */
    @Test
    void oneThatHasStoredMuchHoldsLittleOfIt() throws Exception {
        try (RunningBroker running = RunningBroker.start(Map.of());
                PulsarClient client = PulsarClient.builder()
                        .serviceUrl(running.broker().serviceUrl())
                        .build();
                Producer<byte[]> producer = client.newProducer()
                        .topic("orders")
                        .enableBatching(false)
                        .create()) {
            for (int i = 0; i < 20; i++) {
                producer.send(new byte[1 << 20]);
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (tailCacheMebibytes(running.broker()) > 5) {
                assertThat(System.nanoTime() - deadline)
                        .as(running.broker().memoryUse())
                        .isNegative();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    @Test
    void theMemoryThatATestChoosesCounts() {
        BrokerConfig config = RunningBroker.config(Map.of("tail-cache-bytes", "10_000"), folder);
        assertThat(config.log().memory().tailCacheBytes()).isEqualTo(10_000);
    }

    private static long tailCacheMebibytes(Broker broker) {
        Matcher told = TAIL_CACHE.matcher(broker.memoryUse());
        assertThat(told.find()).isTrue();
        return Long.parseLong(told.group(1));
    }

    private static void refused(Path data, boolean isKept, int port) {
        BrokerConfig config = BrokerConfig.defaults(data).withPort(port);
        assertThatThrownBy(() -> RunningBroker.start(config, isKept))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(port));
    }
}
