package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LogPartsTest {
    private static final int MAX_CHARS = 16_384;

    private final LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(256 * 1024, 2);
    private final SimulatedDisk disk = new SimulatedDisk();

    /** Each of its characters takes three bytes. */
    @Test
    @Behaviour("LOG-13")
    void aNameOfTheMostCharactersIsKeptAndALongerOneIsRefused() throws Exception {
        String longest = "€".repeat(MAX_CHARS);
        LogChange change = new LogChange();
        assertThatThrownBy(() -> change.keepTopic(longest + "€"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16385 characters");
        assertThatThrownBy(() -> change.keepTopic("t", Map.of(longest + "€", Map.of())))
                .isInstanceOf(IllegalArgumentException.class);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(change.keepTopic(longest, Map.of(longest, Map.of()))));
            assertThatThrownBy(() -> await(log.openTopic(longest + "€"))).hasStackTraceContaining("longer than 16384");
        }
        for (int life = 0; life < 2; life++) {
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                assertThat(log.topicNames()).containsExactly(longest);
                assertThat(await(log.openTopic(longest)).cursorNames()).containsExactly(longest);
            }
        }
    }
}
