package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TailCacheTest {
    private static final int CACHE_BYTES = 64 * 1024;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(1 << 20, 2).withMemory(CACHE_BYTES, 1 << 20);

    @Test
    @Behaviour("LOG-7")
    void aMessageLargerThanTheCacheDoesNotStopThoseBehindIt() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            String large = "x".repeat(3 * CACHE_BYTES);
            for (String text : List.of(large, "small", large, large, "last")) {
                receipts.await(topic.append(header(1), text(text)));
            }
            assertThat(LogFixture.texts(topic)).containsExactly(large, "small", large, large, "last");
        }
    }
}
