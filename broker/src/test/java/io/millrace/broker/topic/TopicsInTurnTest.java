package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.DiskFiles;
import io.millrace.testkit.Behaviour;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very many topics, one after another, that hold nothing in the end. */
class TopicsInTurnTest {
    private static final TopicLimits LIMITS = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofNanos(1));
    private static final int AT_ONCE = 250;
    private static final int FIRST = 5_000;
    /** Far fewer than one for each topic. */
    private static final long MORE_OBJECTS = 4_000;

    private final int topics = Boolean.getBoolean("millrace.deep") ? 1_000_000 : 20_000;

    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-15")
    void topicsThatWereOpenedAndClosedOneAfterAnotherLeaveNothingInMemory() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), LIMITS)) {
            openAndLeave(open, 0, FIRST);
            long before = objects();
            openAndLeave(open, FIRST, FIRST + topics);
            long after = objects();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (after >= before + MORE_OBJECTS && System.nanoTime() - deadline < 0) {
                after = objects(); // what is on its way when a topic is gone goes a moment later
            }
            System.out.println(topics + " topics: " + before + " objects before, " + after + " after");
            assertThat(after).isLessThan(before + MORE_OBJECTS);
        }
    }

    private static void openAndLeave(OpenTopics open, int from, int to) throws Exception {
        Deque<CompletableFuture<Topic>> opening = new ArrayDeque<>();
        for (int i = from; i < to; i++) {
            if (opening.size() == AT_ONCE) {
                opening.remove().get(20, TimeUnit.SECONDS);
            }
            TopicName name = TopicName.parse("in-turn-" + i);
            opening.add(open.topics.open(name).toCompletableFuture());
        }
        for (CompletableFuture<Topic> topic : opening) {
            topic.get(20, TimeUnit.SECONDS);
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!open.log.topicNames().isEmpty()
                || open.runtime.snapshot().streams().size() > 1) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** How many objects of this project's classes, and entries of maps, are reachable. */
    private static long objects() throws Exception {
        String[] signature = {String[].class.getName()};
        Object[] arguments = {new String[0]};
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String histogram = (String)
                ManagementFactory.getPlatformMBeanServer().invoke(commands, "gcClassHistogram", arguments, signature);
        return histogram
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(line -> line.length >= 4)
                .filter(line -> line[3].startsWith("io.millrace.") || line[3].matches("java\\.util\\..*(Node|Entry)"))
                .mapToLong(line -> Long.parseLong(line[1]))
                .sum();
    }
}
