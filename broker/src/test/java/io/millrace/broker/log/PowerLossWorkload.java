package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Publishes and acknowledges on several topics over a simulated disk, and remembers what was promised after how many
 * changes of the disk, so that any later state of that disk can be judged.
 */
final class PowerLossWorkload {
    static final LogConfig CONFIG = LogConfig.defaults(Path.of("/data"))
            .withJournal(8 * 1024, 3)
            .withLedgers(4 * 1024, 12)
            .withMemory(4 * 1024, 1 << 20);
    private static final int TOPICS = 3;
    private static final int ROUNDS = 14;
    private static final String CURSOR = "s";
    private static final String PROPERTY = "count";

    /** What is known of one topic. */
    private static final class Story {
        final List<String> sent = new ArrayList<>();
        final List<Position> positions = new ArrayList<>();
        final List<CursorDelta> deltas = new ArrayList<>();
        final TreeMap<Integer, Integer> receiptedEntries = new TreeMap<>();
        final TreeMap<Integer, Integer> receiptedDeltas = new TreeMap<>();
        final TreeMap<Integer, Integer> receiptedProperties = new TreeMap<>();
        int cursorDurableAt = Integer.MAX_VALUE;
        int propertiesAsked;
    }

    /** A topic, or a cursor of one, that is deleted again: after how many changes of the disk it was so. */
    private record Passing(String topic, String cursor, int madeAt, int deletingAt, int deletedAt) {}

    /**
     * A value that says how many topics go with it, as it is changed together with them: what was asked for, and after how
     * many changes of the disk that was promised.
     */
    private record Together(String name, List<Integer> asked, TreeMap<Integer, Integer> promised) {}

    /** Lengths in bytes of frames, alone or with what is written behind them, that end at a bound of the log. */
    private static final List<Integer> BOUNDS = List.of(512, 1_024, 2 * 1_024, 4 * 1_024, 8 * 1_024);

    private final Map<String, Story> stories = new TreeMap<>();
    private final List<Passing> passing = new ArrayList<>();
    private final List<Together> together = new ArrayList<>();
    private final SimulatedDisk disk = new SimulatedDisk();
    private final Random random;

    PowerLossWorkload(long seed) {
        random = new Random(seed);
    }

    /** Runs to the end and returns the trace of the disk. */
    List<SimulatedDisk.Change> run() throws Exception {
        try (BrokerLog log = BrokerLog.open(CONFIG, disk)) {
            Map<String, TopicLog> topics = new HashMap<>();
            Map<String, CursorLog> cursors = new HashMap<>();
            for (int i = 0; i < TOPICS; i++) {
                String name = "topic-" + i;
                topics.put(name, open(log, name));
                cursors.put(name, openCursor(topics.get(name)));
            }
            for (int round = 0; round < ROUNDS; round++) {
                Thread other = new Thread(() -> publish(topics.get("topic-0"), 4));
                other.start();
                publish(topics.get("topic-1"), 3);
                if (round % 3 == 0) {
                    publish(topics.get("topic-2"), 1);
                }
                other.join();
                topics.values().forEach(this::awaitReceipts);
                switch (random.nextInt(8)) {
                    case 0 -> passTopic(log, round);
                    case 1 -> passCursor(topics.get("topic-1"), round);
                    case 2 -> changeTogether(log, round);
                    case 3 -> setProperty(topics.get("topic-" + random.nextInt(TOPICS)));
                    default -> {}
                }
                for (String name : cursors.keySet()) {
                    acknowledge(name, cursors.get(name));
                }
            }
        }
        return disk.trace();
    }

    private TopicLog open(BrokerLog log, String name) {
        TopicLog topic = await(log.openTopic(name));
        Story story = new Story();
        stories.put(name, story);
        topic.listener(new TopicLogListener() {
            @Override
            public void durable(Position upTo) {
                synchronized (story) {
                    int count = story.positions.indexOf(upTo) + 1;
                    story.receiptedEntries.put(disk.changeCount(), Math.max(count, 0));
                    story.notifyAll();
                }
            }

            @Override
            public void refused(Position from, Throwable cause) {
                throw new AssertionError(cause);
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError(cause);
            }
        });
        return topic;
    }

    private CursorLog openCursor(TopicLog topic) {
        CursorLog cursor = await(topic.openCursor(CURSOR, Position.BEFORE_ALL));
        Story story = stories.get(topic.name());
        story.cursorDurableAt = disk.changeCount();
        cursor.listener(new CursorLogListener() {
            @Override
            public void durable(long upToNumber) {
                synchronized (story) {
                    story.receiptedDeltas.put(disk.changeCount(), (int) upToNumber);
                    story.notifyAll();
                }
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError(cause);
            }
        });
        return cursor;
    }

    private void publish(TopicLog topic, int count) {
        Story story = stories.get(topic.name());
        for (int i = 0; i < count; i++) {
            synchronized (story) {
                char[] filling = new char[random.nextInt(8) > 0 ? random.nextInt(300) : atEdge(Frame.ENTRY_HEAD_BYTES)];
                Arrays.fill(filling, (char) ('a' + story.sent.size() % 26));
                String text = new String(filling);
                story.sent.add(text);
                story.positions.add(topic.append(header(story.sent.size()), text(text)));
            }
        }
    }

    /** A length of what a frame of such a head holds: none, one byte, or so that it ends at a bound or a byte beside it. */
    private int atEdge(int headBytes) {
        int bound = BOUNDS.get(random.nextInt(BOUNDS.size()));
        int others = Frame.HEAD_BYTES * random.nextInt(3);
        int bytes = bound - headBytes - others + random.nextInt(3) - 1;
        return random.nextInt(6) == 0 ? random.nextInt(2) : Math.min(bytes, CONFIG.maxFrameBytes() - headBytes);
    }

    private void passTopic(BrokerLog log, int round) {
        String name = "passing-" + round + "x".repeat(Math.min(atEdge(Frame.HEAD_BYTES), 3_000));
        TopicLog topic = await(log.openTopic(name));
        int madeAt = disk.changeCount();
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        receipts.await(topic.append(header(1), text("passing")));
        int deletingAt = disk.changeCount();
        await(log.deleteTopic(name));
        passing.add(new Passing(name, "", madeAt, deletingAt, disk.changeCount()));
    }

    private void passCursor(TopicLog topic, int round) {
        String name = "passing-" + round + "x".repeat(Math.min(atEdge(Frame.HEAD_BYTES), 3_000));
        await(topic.openCursor(name, Position.BEFORE_ALL));
        int madeAt = disk.changeCount();
        await(topic.openCursor(CURSOR, Position.BEFORE_ALL));
        int deletingAt = disk.changeCount();
        await(topic.deleteCursor(name));
        passing.add(new Passing(topic.name(), name, madeAt, deletingAt, disk.changeCount()));
    }

    /** Makes a value with its topics, adds some, and perhaps deletes all; each at once or not at all. */
    private void changeTogether(BrokerLog log, int round) {
        Together made = new Together("together-" + round, new ArrayList<>(List.of(0)), new TreeMap<>());
        together.add(made);
        int topics = 0;
        for (int step = random.nextInt(3); step >= 0; step--) {
            int more = topics + 1 + random.nextInt(4);
            LogChange change = new LogChange().set(made.name(), new byte[] {(byte) more});
            for (; topics < more; topics++) {
                change.keepTopic(made.name() + "-" + topics);
            }
            if (random.nextBoolean()) {
                change.set(
                        made.name() + " filling",
                        new byte[(int) Math.max(0, atEdge(Frame.HEAD_BYTES) - change.bytes() - 200)]);
            }
            made.asked().add(more);
            await(log.change(change));
            made.promised().put(disk.changeCount(), more);
        }
        if (random.nextBoolean()) {
            LogChange change = new LogChange().remove(made.name());
            for (int topic = 0; topic < topics; topic++) {
                change.deleteTopic(made.name() + "-" + topic);
            }
            made.asked().add(0);
            await(log.change(change));
            made.promised().put(disk.changeCount(), 0);
        }
    }

    /** The topics that are there are those that the value says, and that is what was promised last or asked for later. */
    private static void judgeTogether(BrokerLog log, Together made, int changes, List<String> wrong) {
        byte[] value = log.values().get(made.name());
        int said = value == null ? 0 : value[0];
        long there = log.topicNames().stream()
                .filter(name -> name.startsWith(made.name() + "-"))
                .count();
        int promised = promised(made.promised(), changes);
        int from = Math.max(0, made.promised().headMap(changes, true).size());
        if (there != said || !made.asked().subList(from, made.asked().size()).contains(said)) {
            wrong.add(made + " says " + said + " and has " + there + ", promised were " + promised);
        }
    }

    /** Counts in a property, whose value is filled so that its record ends at a bound. */
    private void setProperty(TopicLog topic) {
        Story story = stories.get(topic.name());
        int number = ++story.propertiesAsked;
        int filling = Math.max(0, atEdge(Frame.HEAD_BYTES + Short.BYTES + PROPERTY.length() + Integer.BYTES));
        await(topic.setProperty(
                PROPERTY,
                ByteBuffer.allocate(Integer.BYTES + filling).putInt(number).array()));
        story.receiptedProperties.put(disk.changeCount(), number);
    }

    private static void judgeProperty(TopicLog topic, Story story, int promised, List<String> wrong) {
        byte[] value = topic.property(PROPERTY);
        int number = value == null ? 0 : ByteBuffer.wrap(value).getInt();
        if (number < promised || number > story.propertiesAsked) {
            wrong.add(topic.name() + " counts " + number + " in its property, receipted were " + promised);
        }
    }

    private void awaitReceipts(TopicLog topic) {
        Story story = stories.get(topic.name());
        synchronized (story) {
            while (!story.positions.isEmpty()
                    && !topic.lastDurable().equals(story.positions.get(story.positions.size() - 1))) {
                waitOn(story);
            }
        }
    }

    private static void waitOn(Story story) {
        try {
            story.wait(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void acknowledge(String name, CursorLog cursor) {
        Story story = stories.get(name);
        synchronized (story) {
            int size = story.positions.size();
            if (size == 0 || random.nextInt(4) == 0) {
                return;
            }
            List<CursorDelta> deltas = new ArrayList<>();
            deltas.add(new CursorDelta.AckEntries(List.of(story.positions.get(random.nextInt(size)))));
            deltas.add(new CursorDelta.AckBatch(story.positions.get(size - 1), new long[] {random.nextInt(3)}));
            if (random.nextInt(3) == 0) {
                deltas.add(new CursorDelta.AckUpTo(story.positions.get(Math.max(0, size - 6))));
            }
            if (random.nextInt(8) == 0) {
                deltas.add(new CursorDelta.Reset(story.positions.get(Math.max(0, size - 4))));
            }
            if (random.nextInt(4) == 0) {
                Position often = story.positions.get(random.nextInt(size));
                int count = Math.max(1, atEdge(Frame.HEAD_BYTES + 1) / 16);
                deltas.add(new CursorDelta.AckEntries(java.util.Collections.nCopies(count, often)));
            }
            if (random.nextInt(4) == 0) {
                long[] words = new long[Math.max(1, (atEdge(Frame.HEAD_BYTES + 17) - 8) / 8)];
                Arrays.fill(words, random.nextInt(3));
                deltas.add(new CursorDelta.AckBatch(story.positions.get(size - 1), words));
            }
            for (CursorDelta delta : deltas) {
                story.deltas.add(delta);
                cursor.append(delta);
            }
            while (story.receiptedDeltas.isEmpty()
                    || story.receiptedDeltas.lastEntry().getValue() < story.deltas.size()) {
                waitOn(story);
            }
        }
    }

    /** What is wrong with this recovered log if the power failed after so many changes, or an empty list. */
    List<String> judge(BrokerLog log, int changes) {
        LogFixture.settle(log);
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Story> entry : stories.entrySet()) {
            Story story = entry.getValue();
            int entries = promised(story.receiptedEntries, changes);
            int deltas = promised(story.receiptedDeltas, changes);
            boolean cursorPromised = story.cursorDurableAt <= changes;
            if (!log.topicNames().contains(entry.getKey())) {
                if (entries > 0 || cursorPromised) {
                    wrong.add(entry.getKey() + " is lost");
                }
                continue;
            }
            TopicLog topic = await(log.openTopic(entry.getKey()));
            judgeEntries(topic, story, entries, wrong);
            judgeProperty(topic, story, promised(story.receiptedProperties, changes), wrong);
            if (topic.cursorNames().contains(CURSOR)) {
                judgeCursor(topic, story, deltas, wrong);
            } else if (cursorPromised) {
                wrong.add("the cursor of " + entry.getKey() + " is lost");
            }
        }
        passing.forEach(gone -> judgePassing(log, gone, changes, wrong));
        together.forEach(made -> judgeTogether(log, made, changes, wrong));
        return wrong;
    }

    private static void judgePassing(BrokerLog log, Passing gone, int changes, List<String> wrong) {
        boolean isThere = log.topicNames().contains(gone.topic());
        if (isThere && !gone.cursor().isEmpty()) {
            isThere = await(log.openTopic(gone.topic())).cursorNames().contains(gone.cursor());
        }
        if (isThere && changes >= gone.deletedAt()) {
            wrong.add(gone + " came back");
        }
        if (!isThere && changes >= gone.madeAt() && changes < gone.deletingAt()) {
            wrong.add(gone + " is lost");
        }
    }

    private static int promised(NavigableMap<Integer, Integer> receipts, int changes) {
        Map.Entry<Integer, Integer> last = receipts.floorEntry(changes);
        return last == null ? 0 : last.getValue();
    }

    /** Kept entries are a run of those sent; what is gone at its start was acknowledged, at its end not receipted. */
    private static void judgeEntries(TopicLog topic, Story story, int promised, List<String> wrong) {
        NavigableMap<Position, String> kept = entries(topic);
        int first = kept.isEmpty() ? -1 : story.positions.indexOf(kept.firstKey());
        int end = kept.isEmpty() ? promised : first + kept.size();
        boolean isRun = kept.isEmpty()
                || (first >= 0
                        && end <= story.sent.size()
                        && story.positions.subList(first, end).equals(new ArrayList<>(kept.keySet()))
                        && story.sent.subList(first, end).equals(new ArrayList<>(kept.values())));
        if (!isRun) {
            wrong.add(topic.name() + " has entries out of order or never sent: " + kept.keySet());
            return;
        }
        if (end < promised) {
            wrong.add(topic.name() + " has entries up to " + end + ", receipted were " + promised);
        }
        Set<Position> acked = new HashSet<>();
        for (int deltas = 0; deltas <= story.deltas.size(); deltas++) {
            acked.addAll(ackedBy(story, deltas));
        }
        for (int i = 0; i < (kept.isEmpty() ? promised : first); i++) {
            if (!acked.contains(story.positions.get(i))) {
                wrong.add(topic.name() + " lost entry " + i + ", which nobody had acknowledged");
            }
        }
    }

    private static NavigableMap<Position, String> entries(TopicLog topic) {
        TreeMap<Position, String> entries = new TreeMap<>();
        Position at = Position.BEFORE_ALL;
        for (List<Entry> read = await(topic.read(at, 100, 1 << 20)); !read.isEmpty(); ) {
            for (Entry entry : read) {
                entries.put(entry.position(), entry.data().toString(StandardCharsets.UTF_8));
                at = topic.next(entry.position());
                entry.release();
            }
            read = await(topic.read(at, 100, 1 << 20));
        }
        return entries;
    }

    /** Of entries that are deleted nothing is known any more: a cursor set back before them passes over them. */
    private static void judgeCursor(TopicLog topic, Story story, int promised, List<String> wrong) {
        CursorState state = await(topic.openCursor(CURSOR, Position.BEFORE_ALL)).recovered();
        Set<Position> ackedAtLeast = ackedBy(story, promised);
        Set<Position> ackedAtMost = new HashSet<>(ackedAtLeast);
        for (int deltas = promised + 1; deltas <= story.deltas.size(); deltas++) {
            Set<Position> acked = ackedBy(story, deltas);
            ackedAtLeast.retainAll(acked);
            ackedAtMost.addAll(acked);
        }
        for (Position position : entries(topic).keySet()) {
            boolean acked = state.isAcked(position);
            if (ackedAtLeast.contains(position) && !acked) {
                wrong.add(topic.name() + " lost the acknowledgement of " + position);
            }
            if (acked && !ackedAtMost.contains(position)) {
                wrong.add(topic.name() + " has an acknowledgement of " + position + " that nobody sent");
            }
        }
    }

    private static Set<Position> ackedBy(Story story, int deltaCount) {
        Set<Position> acked = new HashSet<>();
        Map<Position, Long> batches = new HashMap<>();
        for (CursorDelta delta : story.deltas.subList(0, deltaCount)) {
            if (delta instanceof CursorDelta.AckEntries entries) {
                acked.addAll(entries.positions());
            } else if (delta instanceof CursorDelta.AckUpTo upTo) {
                story.positions.stream()
                        .filter(p -> !p.isAfter(upTo.inclusive()))
                        .forEach(acked::add);
            } else if (delta instanceof CursorDelta.Reset reset) {
                acked.clear();
                batches.clear();
                story.positions.stream()
                        .filter(p -> !p.isAfter(reset.markDelete()))
                        .forEach(acked::add);
            } else if (delta instanceof CursorDelta.AckBatch batch && !acked.contains(batch.position())) {
                long left = batches.merge(batch.position(), batch.ackSet()[0], (a, b) -> a & b);
                if (left == 0) {
                    acked.add(batch.position());
                }
            }
        }
        return acked;
    }

    /** Publishes a few entries to every topic and waits for their receipts, which come behind all others. */
    static void publishMore(BrokerLog log) {
        for (String name : log.topicNames()) {
            TopicLog topic = await(log.openTopic(name));
            LogFixture.Receipts receipts = new LogFixture.Receipts();
            topic.listener(receipts);
            Position before = topic.lastDurable();
            for (int i = 0; i < 5; i++) {
                Position more = topic.append(header(i), text(name + " #more " + i + " "));
                if (!more.isAfter(before)) {
                    throw new AssertionError(more + " was given after " + before);
                }
                receipts.await(more);
                before = more;
            }
        }
    }

    /** Everything that a reader and a subscriber would see. */
    static Map<String, List<String>> view(BrokerLog log) {
        LogFixture.settle(log);
        Map<String, List<String>> view = new TreeMap<>();
        for (String name : log.topicNames()) {
            TopicLog topic = await(log.openTopic(name));
            List<String> seen = new ArrayList<>();
            NavigableMap<Position, String> entries = entries(topic);
            entries.forEach((position, text) -> seen.add(position + " " + text.length() + " " + text.hashCode()));
            for (String cursor : topic.cursorNames()) {
                CursorState state =
                        await(topic.openCursor(cursor, Position.BEFORE_ALL)).recovered();
                List<Position> acked =
                        entries.keySet().stream().filter(state::isAcked).toList();
                seen.add(cursor + " " + state.markDelete() + " " + acked);
            }
            view.put(name, seen);
        }
        log.values().forEach((name, value) -> view.put("value " + name, List.of(java.util.Arrays.toString(value))));
        return view;
    }
}
