package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.ProducerOptions;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.UnheardProducer;
import io.millrace.testkit.VirtualTimeScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each look comes a minute of the clock after the one before, and the clock stands still meanwhile. */
@Timeout(60)
class InactiveTopicsTest {
    private static final TopicName TOPIC = TopicName.parse("brief");
    private static final Duration CHECK = Duration.ofMinutes(1);
    /** Of backlogs, expiry, retention and inactive topics. */
    private static final int TIMERS = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final VirtualTimeScheduler clock = new VirtualTimeScheduler();
    private NamespacesFixture broker;

    @BeforeEach
    void start() throws Exception {
        NamespaceSettings settings = NamespaceSettings.DEFAULTS.withPolicies(PolicySettings.DEFAULTS.withChecks(CHECK));
        NamespacesFixture.Limits limits =
                new NamespacesFixture.Limits(TopicLimits.DEFAULTS, MemoryBudget.ofThisProcess());
        broker = new NamespacesFixture(
                LogConfig.defaults(Path.of("/data")).withJournal(1 << 20, 2),
                new SimulatedDisk(),
                settings,
                limits,
                clock);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aTopicThatIsUsedBrieflyBetweenLooksStaysUntilItIsNot() throws Exception {
        policy("delete_when_no_subscriptions", 300);
        await(broker.names.createTopic(TOPIC));
        for (int use = 0; use < 10; use++) {
            useBriefly(await(broker.names.open(TOPIC, false)));
            look();
            assertThat(isThere()).as("after %s uses", use + 1).isTrue();
        }
        goesAfterLooks(6); // the first of which finds it unused
    }

    @Test
    void aTopicThatIsOpenedBeforeALookAndUsedAfterItCountsFromTheNextOne() throws Exception {
        await(broker.names.createTopic(TOPIC));
        policy("delete_when_no_subscriptions", 60);
        look();
        Topic opened = await(broker.names.open(TOPIC, false));
        look();
        assertThat(isThere()).isTrue();
        useBriefly(opened);
        goesAfterLooks(2);
    }

    @Test
    void aTopicThatIsMadeAnewCountsAnew() throws Exception {
        await(broker.names.createTopic(TOPIC));
        policy("delete_when_no_subscriptions", 300);
        goesAfterLooksBut(5);
        await(broker.names.deleteTopic(TOPIC, false));
        await(broker.names.createTopic(TOPIC));
        goesAfterLooks(7);
    }

    @Test
    void whatTheBrokerItselfOpensATopicForIsNoUseOfIt() throws Exception {
        await(broker.names.createTopic(TOPIC));
        policy("delete_when_subscriptions_caught_up", 300);
        await(broker.names.setPolicy(NamespaceName.DEFAULT, PolicySettings.MESSAGE_TTL, "1"));
        goesAfterLooks(6);
    }

    private void policy(String mode, int seconds) throws Exception {
        await(broker.names.setPolicy(NamespaceName.DEFAULT, InactiveTopics.KEY, mode + "," + seconds + ",true"));
    }

    /** The last of so many looks deletes it. */
    private void goesAfterLooks(int count) throws Exception {
        goesAfterLooksBut(count - 1);
        look();
        assertThat(isThere()).as("after the last look").isFalse();
    }

    private void goesAfterLooksBut(int count) throws Exception {
        for (int i = 1; i <= count; i++) {
            look();
            assertThat(isThere()).as("after %s looks", i).isTrue();
        }
    }

    private boolean isThere() {
        return broker.log.hasTopic(TOPIC.full());
    }

    /** Ends when all that a minute brings is done, which sets its timer again then. */
    private void look() {
        awaitTimers();
        clock.advance(CHECK);
        awaitTimers();
    }

    private void awaitTimers() {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (clock.waiting() < TIMERS) {
            assertThat(System.nanoTime() - end).as("the timers are set again").isNegative();
            Thread.onSpinWait();
        }
    }

    private static void useBriefly(Topic topic) throws Exception {
        await(topic.attach(new UnheardProducer(), ProducerOptions.unnamed())).close();
        while (!await(topic.figures()).producers().isEmpty()) {
            Thread.onSpinWait();
        }
    }
}
