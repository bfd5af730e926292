package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.CursorDelta.AckEntries;
import io.millrace.broker.log.CursorDelta.AckUpTo;
import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.log.SimulatedDisk.Change;
import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One data folder through many lives, each ended by a kill or a power loss at any point, while topics and subscriptions
 * come and go: whatever one life promised, or showed, the next one has.
 */
@Timeout(1_800)
final class ManyLivesTest {
    private static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data"))
            .withJournal(8 * 1024, 3)
            .withLedgers(2 * 1024, 6)
            .withMemory(4 * 1024, 1 << 20)
            .withUnpackedTopics(1);
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final String CURSOR = "s";
    private static final int NEVER = Integer.MAX_VALUE;

    private final int lives = Boolean.getBoolean("millrace.deep") ? 20_000 : 120;
    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Story> stories = new TreeMap<>();
    private SimulatedDisk disk = new SimulatedDisk();
    private int incarnations;

    /** A topic from its making to its end; counts are of the disk's changes when something was promised. */
    private static final class Story {
        final List<String> sent = new ArrayList<>();
        final List<Position> positions = new ArrayList<>();
        final TreeMap<Integer, Integer> receipted = new TreeMap<>();
        final Map<Position, Integer> acked = new TreeMap<>();
        final int madeAt;
        int cursorAt = NEVER;
        boolean cursorChanged;
        boolean ended;
        int endedAt = NEVER;

        Story(int madeAt) {
            this.madeAt = madeAt;
        }

        int promised(int changes) {
            Map.Entry<Integer, Integer> last = receipted.floorEntry(changes);
            return last == null ? 0 : last.getValue();
        }
    }

    @Test
    @Behaviour({"LOG-6", "LOG-1", "LOG-8"})
    void whateverOneLifePromisedTheNextOneHas() throws Exception {
        System.out.println("ManyLivesTest: seed " + seed);
        Map<String, List<Story>> past = new TreeMap<>();
        int cut = NEVER;
        for (int life = 0; life < lives; life++) {
            int began;
            try (BrokerLog log = BrokerLog.open(CONFIG, disk)) {
                String context = "seed " + seed + ", life " + life;
                assertThat(log.damages())
                        .as(context)
                        .allSatisfy(damage -> assertThat(damage.what()).startsWith("torn tail"));
                LogFixture.settle(log);
                for (String name : NAMES) {
                    check(log, name, past.getOrDefault(name, List.of()), cut, context);
                }
                past = new TreeMap<>();
                began = disk.changeCount();
                for (int step = random.nextInt(20); step >= 0; step--) {
                    step(log, NAMES.get(random.nextInt(NAMES.size())), past);
                }
                for (Map.Entry<String, Story> story : stories.entrySet()) {
                    past.computeIfAbsent(story.getKey(), n -> new ArrayList<>()).add(story.getValue());
                }
            }
            List<Change> trace = disk.trace();
            cut = began + random.nextInt(trace.size() - began + 1);
            disk = random.nextBoolean()
                    ? SimulatedDisk.upTo(trace, cut)
                    : SimulatedDisk.afterPowerLoss(trace, cut, random.nextLong(), null);
        }
    }

    private void step(BrokerLog log, String name, Map<String, List<Story>> past) {
        Story story = stories.get(name);
        if (story == null) {
            await(log.openTopic(name));
            stories.put(name, new Story(disk.changeCount()));
            return;
        }
        TopicLog topic = await(log.openTopic(name));
        switch (random.nextInt(14)) {
            case 0 -> {
                story.ended = true;
                await(log.deleteTopic(name));
                story.endedAt = disk.changeCount();
                stories.remove(name);
                past.computeIfAbsent(name, n -> new ArrayList<>()).add(story);
            }
            case 1 -> changeCursor(topic, story);
            case 2, 3, 4 -> acknowledge(topic, story);
            case 5, 6 -> leave(log, topic);
            default -> publish(topic, story);
        }
    }

    private void changeCursor(TopicLog topic, Story story) {
        if (topic.cursorNames().contains(CURSOR)) {
            story.cursorChanged = true;
            story.cursorAt = NEVER;
            await(topic.deleteCursor(CURSOR));
        } else {
            await(topic.openCursor(CURSOR, Position.BEFORE_ALL));
            story.cursorAt = disk.changeCount();
        }
    }

    /** The next step finds it packed, mostly. */
    private static void leave(BrokerLog log, TopicLog topic) {
        if (!topic.isEmpty()) {
            await(log.leaveTopic(topic));
        }
    }

    private void acknowledge(TopicLog topic, Story story) {
        if (!topic.cursorNames().contains(CURSOR) || story.positions.isEmpty()) {
            return;
        }
        CursorLog cursor = await(topic.openCursor(CURSOR, Position.BEFORE_ALL));
        CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 1);
        int index = random.nextInt(story.positions.size());
        Position position = story.positions.get(index);
        List<Position> meant = random.nextInt(4) == 0 ? story.positions.subList(0, index + 1) : List.of(position);
        meant.forEach(p -> story.acked.putIfAbsent(p, NEVER));
        cursor.append(meant.size() > 1 ? new AckUpTo(position) : new AckEntries(List.of(position)));
        await(durable);
        int now = disk.changeCount();
        meant.forEach(p -> story.acked.merge(p, now, Math::min));
    }

    private void publish(TopicLog topic, Story story) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        for (int i = random.nextInt(4); i >= 0; i--) {
            String text = topic.name() + incarnations + "-" + story.sent.size() + "x".repeat(size());
            story.sent.add(text);
            Position position = topic.append(header(1), text(text));
            assertThat(story.positions).as("seed %d", seed).doesNotContain(position);
            story.positions.add(position);
        }
        receipts.await(story.positions.get(story.positions.size() - 1));
        story.receipted.put(disk.changeCount(), story.sent.size());
    }

    private int size() {
        return random.nextInt(20) == 0 ? 4_000 : random.nextInt(300);
    }

    /** Compares what is there with every story that may have become true, and begins a new one with what is there. */
    private void check(BrokerLog log, String name, List<Story> past, int cut, String context) {
        stories.remove(name);
        boolean isThere = log.topicNames().contains(name);
        Story promised = null;
        for (Story story : past) {
            promised = story.madeAt <= cut && story.endedAt > cut ? story : promised;
        }
        if (!isThere) {
            assertThat(promised == null || promised.ended)
                    .as("%s: topic %s is lost", context, name)
                    .isTrue();
            return;
        }
        Story seen = view(await(log.openTopic(name)));
        List<String> wrong = new ArrayList<>();
        boolean matches = past.stream()
                .filter(story -> story.endedAt > cut)
                .anyMatch(story -> isContinuedBy(story, seen, cut, wrong));
        assertThat(matches)
                .as("%s: topic %s has %s: %s", context, name, seen.sent, wrong)
                .isTrue();
        incarnations++;
        stories.put(name, seen);
    }

    private static Story view(TopicLog topic) {
        Story seen = new Story(0);
        Position at = Position.BEFORE_ALL;
        for (List<Entry> entries = await(topic.read(at, 100, 1 << 20));
                !entries.isEmpty();
                entries = await(topic.read(at, 100, 1 << 20))) {
            for (Entry entry : entries) {
                seen.sent.add(entry.data().toString(StandardCharsets.UTF_8));
                seen.positions.add(entry.position());
                at = topic.next(entry.position());
                entry.release();
            }
        }
        seen.receipted.put(0, seen.sent.size());
        if (topic.cursorNames().contains(CURSOR)) {
            seen.cursorAt = 0;
            CursorState state =
                    await(topic.openCursor(CURSOR, Position.BEFORE_ALL)).recovered();
            seen.positions.stream().filter(state::isAcked).forEach(p -> seen.acked.put(p, 0));
        }
        return seen;
    }

    private static boolean isContinuedBy(Story story, Story seen, int cut, List<String> wrong) {
        int promised = story.promised(cut);
        int first = seen.sent.isEmpty() ? promised : story.sent.indexOf(seen.sent.get(0));
        int end = first + seen.sent.size();
        if (first < 0
                || end > story.sent.size()
                || end < promised
                || !story.sent.subList(first, end).equals(seen.sent)
                || !story.positions.subList(first, end).equals(seen.positions)) {
            wrong.add("not from entry " + first + " up to " + promised + " and more of " + story.sent);
            return false;
        }
        Set<Position> gone = new HashSet<>(story.positions.subList(0, first));
        gone.removeAll(story.acked.keySet());
        if (!gone.isEmpty()) {
            wrong.add("gone without acknowledgement: " + gone);
            return false;
        }
        return isCursorKept(story, seen, cut, wrong);
    }

    private static boolean isCursorKept(Story story, Story seen, int cut, List<String> wrong) {
        if (story.cursorChanged) {
            return true;
        }
        if (story.cursorAt <= cut && seen.cursorAt == NEVER) {
            wrong.add("the cursor is lost");
            return false;
        }
        for (Position position : seen.positions) {
            int ackedAt = story.acked.getOrDefault(position, -1);
            boolean isAcked = seen.acked.containsKey(position);
            if ((ackedAt >= 0 && ackedAt <= cut && !isAcked) || (isAcked && ackedAt < 0)) {
                wrong.add("acknowledged at " + ackedAt + ", but seen " + isAcked + ": " + position);
                return false;
            }
        }
        return true;
    }
}
