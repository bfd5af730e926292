package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerRetentionTest {
    private static final int PER_LEDGER = 10;
    private static final int ENTRIES = 95;
    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final Kept FOR_EVER = new Kept(Kept.NO_LIMIT, Kept.NO_LIMIT);

    @TempDir
    Path folder;

    private LogConfig config;
    private final AtomicReference<Kept> kept = new AtomicReference<>(FOR_EVER);
    private final LogRetention retention = topic -> topic.equals("a") ? kept.get() : Kept.NOTHING;

    @BeforeEach
    void ledgersOfTen() {
        config = LogConfig.defaults(folder).withJournal(256 * 1024, 3).withLedgers(128 * 1024, PER_LEDGER);
    }

    private BrokerLog open() throws Exception {
        return BrokerLog.open(config, new DiskFiles(), retention);
    }

    /** The first half an hour ago, by the clocks of both sides, the others now. */
    private static Position publish(TopicLog topic) {
        long now = System.currentTimeMillis();
        Position last = publish(topic, i -> i < ENTRIES / 2 ? now - HOUR_MILLIS : now);
        openFirstEarlier(topic);
        return last;
    }

    private static Position publish(TopicLog topic, IntToLongFunction publishTimeMillis) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (int i = 0; i < ENTRIES; i++) {
            last = topic.append(header(publishTimeMillis.applyAsLong(i)), text("entry " + i));
        }
        receipts.await(last);
        return last;
    }

    /** Dates the first five ledgers as opened an hour ago: the first four were full by then. */
    private static void openFirstEarlier(TopicLog topic) {
        await(topic.facts());
        long before = System.currentTimeMillis() - HOUR_MILLIS;
        List.of(topic.table().ledgers()).subList(0, 5).forEach(ledger -> ledger.setOpenedMillis(before));
    }

    /** Leaves the ledgers as an earlier version did. */
    private static void undate(TopicLog topic) {
        await(topic.facts());
        List.of(topic.table().ledgers()).forEach(ledger -> ledger.setOpenedMillis(0));
    }

    private static void acknowledge(TopicLog topic, Position last) {
        CursorLog cursor = await(topic.openCursor("all", Position.BEFORE_ALL));
        var durable = LogFixture.deltaNumber(cursor, 1);
        cursor.append(new CursorDelta.AckUpTo(last));
        await(durable);
    }

    private static void awaitEntries(BrokerLog log, String name, long entries) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (await(log.facts(java.util.List.of(name))).get(0).entries() != entries) {
            assertThat(System.nanoTime() - end)
                    .as(
                            "%s has %s",
                            name,
                            await(log.facts(java.util.List.of(name))).get(0).ledgers())
                    .isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static long entries(BrokerLog log, String name) {
        LogFixture.settle(log);
        return await(log.facts(java.util.List.of(name))).get(0).entries();
    }

    @Test
    @Behaviour("LOG-8")
    void whatIsAcknowledgedIsKeptForAsLongAsItIsSaid() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            acknowledge(topic, publish(topic));
            TopicLog other = await(log.openTopic("b"));
            acknowledge(other, publish(other));
            assertThat(entries(log, "b")).as("all but the open ledger").isEqualTo(5);
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
            log.trim();
            awaitEntries(log, "a", ENTRIES - 40);
        }
        kept.set(FOR_EVER);
        try (BrokerLog log = open()) {
            assertThat(entries(log, "a")).isEqualTo(ENTRIES - 40);
            kept.set(Kept.NOTHING);
            log.trim();
            awaitEntries(log, "a", 0);
        }
    }

    /** Of one whose clock was never set, or is far ahead. */
    @Test
    void howOldALedgerIsDoesNotDependOnTheClocksOfClients() throws Exception {
        LogRetention all = topic -> kept.get();
        kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
        try (BrokerLog log = BrokerLog.open(config.withUnpackedTopics(1), new DiskFiles(), all)) {
            TopicLog behind = await(log.openTopic("behind"));
            acknowledge(behind, publish(behind, i -> 1));
            TopicLog ahead = await(log.openTopic("ahead"));
            acknowledge(ahead, publish(ahead, i -> Long.MAX_VALUE));
            log.trim();
            assertThat(entries(log, "behind")).isEqualTo(ENTRIES);
            assertThat(entries(log, "ahead")).isEqualTo(ENTRIES);
            openFirstEarlier(behind);
            openFirstEarlier(ahead);
            await(log.leaveTopic(behind));
            await(log.leaveTopic(ahead));
            await(log.leaveTopic(await(log.openTopic("other"))));
            assertThat(ahead.isPacked()).isTrue();
            log.trim();
            awaitEntries(log, "behind", ENTRIES - 40);
            awaitEntries(log, "ahead", ENTRIES - 40);
            assertThat(entries(log, "behind")).isEqualTo(ENTRIES - 40);
        }
    }

    @Test
    void aLedgerIsNotOlderBecauseTheBrokersClockWasSetBackAfterIt() throws Exception {
        kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            long now = System.currentTimeMillis();
            Position last = publish(topic, i -> now);
            await(topic.facts());
            topic.table().ledgers()[1].setOpenedMillis(20_000);
            acknowledge(topic, last);
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
    }

    @Test
    void theLastLedgerOfAClientWhoseClockIsBehindIsFreshAfterARestart() throws Exception {
        kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            acknowledge(topic, publish(topic, i -> 1));
        }
        try (BrokerLog log = open()) {
            Ledger[] ledgers = await(log.openTopic("a")).table().ledgers();
            ledgers[ledgers.length - 1].setOpenedMillis(System.currentTimeMillis() - HOUR_MILLIS);
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
    }

    /** Nothing else says how old it is; it is known from then on. */
    @Test
    void aLedgerThatAnEarlierVersionDidNotDateIsDatedByItsLastMessageButNotAheadOfNow() throws Exception {
        kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            Position last = publish(topic, i -> i < ENTRIES / 2 ? 1 : Long.MAX_VALUE);
            undate(topic);
            acknowledge(topic, last);
            awaitEntries(log, "a", ENTRIES - 40);
            kept.set(new Kept(1, Kept.NO_LIMIT));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (entries(log, "a") != PER_LEDGER / 2) {
                assertThat(System.nanoTime() - end).isNegative();
                log.trim();
            }
        }
    }

    @Test
    void theNewestAreKeptUpToASize() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            acknowledge(topic, publish(topic));
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            long bytes = await(topic.facts()).bytes();
            kept.set(new Kept(Kept.NO_LIMIT, bytes / 2));
            log.trim();
            awaitEntries(log, "a", 55);
            kept.set(new Kept(HOUR_MILLIS / 2, bytes * 10));
            log.trim();
            assertThat(entries(log, "a")).as("those that are left are new").isEqualTo(55);
        }
    }

    /** Exactly what the others take is enough without the oldest ledger, and a byte more is not. */
    @Test
    void theOldestGoesWhenTheOthersAreOfTheSizeThatIsKept() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            acknowledge(topic, publish(topic));
            List<TopicFacts.LedgerFacts> ledgers = await(topic.facts()).ledgers();
            long others = await(topic.facts()).bytes() - ledgers.get(0).bytes();
            kept.set(new Kept(Kept.NO_LIMIT, others + 1));
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            kept.set(new Kept(Kept.NO_LIMIT, others));
            log.trim();
            awaitEntries(log, "a", ENTRIES - PER_LEDGER);
            assertThat(entries(log, "a")).isEqualTo(ENTRIES - PER_LEDGER);
        }
    }

    @Test
    void aTopicWithoutSubscriptionsKeepsWhatIsSaidAndElseEverything() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic);
            kept.set(Kept.NOTHING);
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
            log.trim();
            awaitEntries(log, "a", ENTRIES - 40);
        }
    }

    @Test
    @Behaviour("LOG-8")
    void whatIsNotAcknowledgedIsKeptHoweverOldItIs() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic);
            await(topic.openCursor("all", Position.BEFORE_ALL));
            kept.set(new Kept(1, 1));
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
    }

    @Test
    void aTopicIsTruncatedThoughItsMessagesWouldBeKept() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic);
            await(topic.openCursor("all", Position.BEFORE_ALL));
            await(log.truncate(List.of(topic)));
            awaitEntries(log, "a", 0);
        }
    }

    @Test
    void aTopicWithoutSubscriptionsIsTruncatedToo() throws Exception {
        kept.set(Kept.NOTHING);
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic);
            await(log.truncate(List.of(topic)));
            assertThat(entries(log, "a")).isZero();
            publish(topic);
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
        try (BrokerLog log = open()) {
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
    }

    /** The ledgers of its topics that nothing keeps could be deleted otherwise, though nothing was changed. */
    @Test
    void aTruncationThatFitsNoJournalFileIsRefusedAndNothingIsDeleted() throws Exception {
        config = LogConfig.defaults(folder).withJournal(16 * 1024, 3).withLedgers(128 * 1024, PER_LEDGER);
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic);
            TopicLog large = await(log.openTopic("b"));
            for (int i = 0; i < 16 * 1024 / LogBatch.STEP_HEAD_BYTES; i++) {
                await(large.openCursor("s" + i, Position.BEFORE_ALL));
            }
            assertThatThrownBy(() -> log.truncate(List.of(topic, large)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not fit");
            assertThat(topic.truncatedTo()).isEqualTo(Position.BEFORE_ALL);
            log.trim();
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
        }
    }

    /** Each time it is asked it says something else: what one look at a topic goes by must be one answer. */
    @Test
    void whatIsSaidAnewWhileATopicIsLookedAtDeletesNothingOfOneWithoutSubscriptions() throws Exception {
        try (BrokerLog log = open()) {
            publish(await(log.openTopic("a")));
        }
        AtomicInteger asked = new AtomicInteger();
        LogRetention changing = topic -> asked.getAndIncrement() % 2 == 0 ? FOR_EVER : Kept.NOTHING;
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles(), changing)) {
            for (int i = 0; i < 3; i++) {
                log.trim();
                assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            }
        }
        assertThat(asked).hasPositiveValue();
    }

    /** The last message of a ledger is read to know its age; the topic is deleted before that read has its turn. */
    @Test
    void aTopicThatIsDeletedWhileTheAgeOfItsLedgersIsAskedForIsNoDamage() throws Exception {
        int workers = 4;
        AtomicBoolean slow = new AtomicBoolean();
        CountDownLatch reading = new CountDownLatch(workers);
        CountDownLatch goOn = new CountDownLatch(1);
        Disk disk = new SlowDisk(point -> {}, () -> {
            if (slow.get()) {
                reading.countDown();
                awaitUnchecked(goOn);
            }
        });
        // Ledgers of so few bytes have files of their own.
        LogConfig ownFiles = config.withLedgers(1024, PER_LEDGER).withUnpackedTopics(1);
        BrokerLog log = BrokerLog.open(ownFiles, disk, retention);
        try (log) {
            for (String name : List.of("a", "busy")) {
                TopicLog topic = await(log.openTopic(name));
                acknowledge(topic, publish(topic));
                undate(topic);
                await(log.leaveTopic(topic));
            }
            // Both are packed, and so in files alone, when the record of something else is applied.
            await(log.openTopic("other"));
            await(log.deleteTopic("other"));
            TopicLog busy = await(log.openTopic("busy"));
            slow.set(true);
            for (int i = 0; i < workers; i++) {
                busy.read(Position.BEFORE_ALL, 1, 1).thenAccept(found -> found.forEach(Entry::release));
            }
            awaitUnchecked(reading);
            kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
            log.trim();
            await(log.deleteTopic("a"));
            goOn.countDown();
        }
        assertThat(log.damages()).as("once no read is under way").isEmpty();
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** So many that their ages are asked for in several rounds. */
    @Test
    void oneLookTrimsAllTopicsHoweverManyThereAre() throws Exception {
        int topics = 200;
        LogRetention all = topic -> kept.get();
        try (BrokerLog log = BrokerLog.open(config.withUnpackedTopics(1), new DiskFiles(), all)) {
            for (int i = 0; i < topics; i++) {
                TopicLog topic = await(log.openTopic("t" + i));
                acknowledge(topic, publish(topic));
                undate(topic);
                await(log.leaveTopic(topic));
            }
            kept.set(new Kept(HOUR_MILLIS / 2, Kept.NO_LIMIT));
            log.trim();
            for (int i = 0; i < topics; i++) {
                awaitEntries(log, "t" + i, ENTRIES - 40);
            }
        }
    }

    /** A look takes a pass over all subscriptions. */
    @Test
    void anAcknowledgementThatPassesNoLedgerIsNoReasonToLookWhatIsKept() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        LogRetention counting = topic -> {
            asked.incrementAndGet();
            return FOR_EVER;
        };
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles(), counting)) {
            TopicLog topic = await(log.openTopic("a"));
            Position last = publish(topic);
            CursorLog cursor = await(topic.openCursor("all", Position.BEFORE_ALL));
            int before = asked.get();
            for (long ledger = 1; ledger < last.ledgerId(); ledger++) {
                for (int i = 0; i < PER_LEDGER; i++) {
                    cursor.append(new CursorDelta.AckEntries(List.of(new Position(ledger, i))));
                }
            }
            for (int i = 0; i <= last.entryId(); i++) {
                cursor.append(new CursorDelta.AckEntries(List.of(new Position(last.ledgerId(), i))));
            }
            LogFixture.settle(log);
            assertThat(asked.get() - before).isBetween(9, 2 * 9 + 1);
        }
    }

    /** To unpack each of many takes long. */
    @Test
    void aPackedTopicThatKeepsNothingIsNotUnpackedToBeLookedAt() throws Exception {
        LogParts parts = LogParts.create(config, new SimulatedDisk(), 1);
        AtomicInteger unpacked = new AtomicInteger();
        Catalog catalog = new Catalog(
                parts.ids(),
                (id, name) -> {
                    unpacked.incrementAndGet();
                    return new TopicLog(parts, id, name);
                },
                ledger -> {});
        catalog.addPacked(SnapshotBody.pack(new TopicLog(parts, 1, "a")));
        catalog.addPacked(SnapshotBody.pack(new TopicLog(parts, 2, "b")));
        LedgerWriter writer = new LedgerWriter(parts, catalog, new LedgerFiles(parts));
        writer.retained().by(retention);
        writer.trimAll();
        assertThat(unpacked).as("a alone").hasValue(1);
        kept.set(Kept.NOTHING);
        writer.trimAll();
        assertThat(unpacked).hasValue(1);
    }

    @Test
    void nothingIsDeletedBeforeItIsKnownWhatIsRetained() throws Exception {
        try (BrokerLog log = open()) {
            TopicLog topic = await(log.openTopic("a"));
            acknowledge(topic, publish(topic));
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles(), LogRetention.UNKNOWN)) {
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            log.retainBy(retention);
            assertThat(entries(log, "a")).isEqualTo(ENTRIES);
            log.retainBy(LogRetention.NOTHING);
            awaitEntries(log, "a", 0);
        }
    }
}
