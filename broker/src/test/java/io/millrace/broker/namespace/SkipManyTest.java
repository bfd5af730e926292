package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.broker.namespace.SubscriptionVerbs.Chosen;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What administrators skip on many subscriptions at once. */
@Timeout(120)
class SkipManyTest {
    private static final TopicName TOPIC = TopicName.parse("public/default/x");
    private static final int MANY = 200;
    private static final int ENTRIES = 3;
    private static final TopicLimits NEVER_UNLOADED = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofDays(1));

    private final MemoryBudget memory = new MemoryBudget(1L << 30);

    @TempDir
    Path folder;

    @Test
    void whatIsSkippedMovedOrExpiresOpensNoSubscription() throws Exception {
        try (NamespacesFixture broker = broker()) {
            Topic topic = filled(broker);
            for (int i = 0; i < MANY; i++) {
                await(topic.createSubscription("s-" + i, StartAt.EARLIEST));
            }
        }
        Chosen all = new Chosen(List.of(TOPIC), null, false);
        Chosen one = Chosen.one(List.of(TOPIC), "s-7");
        try (NamespacesFixture broker = broker()) {
            SubscriptionVerbs verbs = broker.names.subscriptions();
            await(verbs.skipAll(one));
            assertThat(unread(broker)).isZero();
            await(verbs.seek(one, SeekTarget.ToPosition.of(SeekTarget.EARLIEST)));
            assertThat(unread(broker)).isEqualTo(ENTRIES);
            await(verbs.expireTo(one, Position.BEFORE_ALL));
            assertThat(unread(broker)).isEqualTo(ENTRIES);
            await(verbs.expireTo(one, SeekTarget.LATEST));
            assertThat(unread(broker)).isZero();
            await(verbs.seek(one, new SeekTarget.ToTime(0)));
            assertThat(unread(broker)).isEqualTo(ENTRIES);
            await(verbs.seek(one, SeekTarget.ToPosition.of(SeekTarget.LATEST)));
            assertThat(unread(broker)).isZero();
            await(verbs.expire(one, Long.MAX_VALUE));
            await(verbs.skipAll(all));
            await(verbs.expire(all, Long.MAX_VALUE));
            assertThat(memory.heldBytes(Kind.SUBSCRIPTIONS)).isZero();
            assertThat(await(broker.open(TOPIC.full()).figures()).subscriptions())
                    .isEmpty();
        }
    }

    @Test
    void aPlaceBeyondTheLastMessageIsThatOfTheLast() throws Exception {
        try (NamespacesFixture broker = broker()) {
            await(filled(broker).createSubscription("s", StartAt.EARLIEST));
        }
        try (NamespacesFixture broker = broker()) {
            Topic topic = broker.open(TOPIC.full());
            Position last = topic.log().lastDurable();
            assertThat(last).isNotEqualTo(Position.BEFORE_ALL);
            await(broker.names.subscriptions().expireTo(Chosen.one(List.of(TOPIC), "s"), SeekTarget.LATEST));
            assertThat(await(topic.log().facts()).cursors().get(0).markDelete()).isEqualTo(last);
        }
    }

    @Test
    void nothingIsSkippedWhereNothingIsStored() throws Exception {
        TopicName live = TopicName.parse("non-persistent://public/default/x");
        try (NamespacesFixture broker = broker()) {
            await(broker.open(live.full()).createSubscription("s", StartAt.EARLIEST));
            Chosen one = Chosen.one(List.of(live), "s");
            assertThatThrownBy(() -> await(broker.names.subscriptions().skipAll(one)))
                    .isInstanceOfSatisfying(
                            BrokerException.class,
                            refusal -> assertThat(refusal.kind()).isEqualTo(ErrorKind.NOT_ALLOWED));
        }
    }

    /** The topic, with some messages. */
    private static Topic filled(NamespacesFixture broker) throws Exception {
        Topic topic = broker.open(TOPIC.full());
        for (int i = 0; i < ENTRIES; i++) {
            topic.log().append(new EntryHeader(1, i, 7, 0, 0), Unpooled.copiedBuffer("m" + i, UTF_8));
        }
        await(topic.log().facts());
        return topic;
    }

    /** How much one subscription has not acknowledged. */
    private static long unread(NamespacesFixture broker) throws Exception {
        return await(broker.open(TOPIC.full()).log().facts()).cursors().stream()
                .filter(cursor -> cursor.name().equals("s-7"))
                .mapToLong(cursor -> cursor.backlogEntries())
                .sum();
    }

    private NamespacesFixture broker() throws Exception {
        return new NamespacesFixture(
                LogConfig.defaults(folder),
                new DiskFiles(),
                NamespaceSettings.DEFAULTS,
                new NamespacesFixture.Limits(NEVER_UNLOADED, memory));
    }
}
