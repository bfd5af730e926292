package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is kept with a topic is there after restarts, power cuts and packing, and goes with the topic. */
final class TopicPropertiesTest {
    private static final String NAME = "persistent://public/default/a";
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4).withUnpackedTopics(1);

    private SimulatedDisk disk = new SimulatedDisk();

    @Test
    void aPropertyIsThereAtOnceAndAfterARestart() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            assertThat(topic.property("epoch")).isNull();
            set(topic, "epoch", "1");
            set(topic, "empty", "");
            set(topic, "epoch", "2");
            assertHolds(topic);
        }
        for (int i = 0; i < 2; i++) {
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                assertHolds(await(log.openTopic(NAME)));
            }
        }
    }

    @Test
    void whatIsDurableIsThereAfterThePowerWasCut() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            disk = new SimulatedDisk();
            BrokerLog log = BrokerLog.open(config, disk);
            TopicLog topic = await(log.openTopic(NAME));
            set(topic, "epoch", "1");
            set(topic, "empty", "");
            set(topic, "epoch", "2");
            var trace = disk.trace();
            log.close();
            disk = SimulatedDisk.afterPowerLoss(trace, trace.size(), seed, null);
            try (BrokerLog recovered = BrokerLog.open(config, disk)) {
                assertHolds(await(recovered.openTopic(NAME)));
            }
        }
    }

    @Test
    void aTopicWithAPropertyIsNotEmptyAndComesBackWithItWhenItWasPacked() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            set(topic, "empty", "");
            set(topic, "epoch", "2");
            await(log.leaveTopic(topic));
            await(log.leaveTopic(await(log.openTopic("another"))));
            assertThat(log.topicNames()).contains(NAME);
            TopicLog again = await(log.openTopic(NAME));
            assertThat(again).isNotSameAs(topic);
            assertHolds(again);
        }
    }

    @Test
    void aTopicThatIsMadeAnewHasNoneOfTheOldOne() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            set(await(log.openTopic(NAME)), "epoch", "2");
            await(log.deleteTopic(NAME));
            assertThat(await(log.openTopic(NAME)).property("epoch")).isNull();
        }
    }

    @Test
    void whatIsTooLongIsRefused() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            assertThatThrownBy(() -> topic.setProperty("long", new byte[64 * 1024]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("property");
            set(topic, "epoch", "2");
        }
    }

    private static void set(TopicLog topic, String name, String value) throws Exception {
        await(topic.setProperty(name, value.getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertHolds(TopicLog topic) {
        assertThat(topic.property("epoch")).asString(StandardCharsets.UTF_8).isEqualTo("2");
        assertThat(topic.property("empty")).isEmpty();
        assertThat(topic.property("other")).isNull();
    }
}
