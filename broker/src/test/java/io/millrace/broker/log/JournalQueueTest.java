package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

final class JournalQueueTest {
    private static final int ROUNDS = 300;
    private static final int ITEMS = 1_000;

    /** The state is still OPEN, as it was for a caller who looked before the log closed and queues after it. */
    @Test
    @Behaviour("LOG-2")
    void whatIsQueuedBehindTheWritersEndIsAnsweredAndReleased() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 2);
        SimulatedDisk disk = new SimulatedDisk();
        disk.createDirectories(config.data().resolve(LogFolder.JOURNAL));
        LogParts parts = LogParts.create(config, disk, 1);
        JournalWriter.Start start =
                new JournalWriter.Start(parts.journal().files().make(64 * 1024), 1);
        JournalWriter writer = new JournalWriter(parts, start, group -> {}, () -> {}, cause -> {});
        TopicLog topic = new TopicLog(parts, 1, "t");
        CompletionStage<CursorLog> queued = topic.openCursor("before", Position.BEFORE_ALL);
        ByteBuf queuedData = text("before");
        topic.append(header(1), queuedData);

        writer.refuseQueued(new IllegalStateException("ended"));
        CompletionStage<CursorLog> late = topic.openCursor("after", Position.BEFORE_ALL);
        CompletionStage<CursorLog> barrier = topic.openCursor("before", Position.BEFORE_ALL);
        CompletionStage<Void> deleted = topic.deleteCursor("before");
        ByteBuf lateData = text("after");
        topic.append(header(1), lateData);

        for (CompletionStage<?> each : List.of(queued, late, barrier, deleted)) {
            assertThat(each.toCompletableFuture())
                    .failsWithin(1, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withStackTraceContaining("ended");
        }
        assertThat(queuedData.refCnt()).isZero();
        assertThat(lateData.refCnt()).isZero();
    }

    @Test
    void eachItemQueuedWhileTheQueueEndsIsRefusedOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            JournalQueue<Integer> queue = new JournalQueue<>();
            AtomicIntegerArray refused = new AtomicIntegerArray(ITEMS);
            CyclicBarrier together = new CyclicBarrier(2);
            CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
                meet(together);
                for (int i = 0; i < ITEMS; i++) {
                    queue.offer(i);
                }
            });
            meet(together);
            queue.end(refused::incrementAndGet);
            producer.get(20, TimeUnit.SECONDS);
            for (int i = 0; i < ITEMS; i++) {
                assertThat(refused.get(i)).as("item %d of round %d", i, round).isEqualTo(1);
            }
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
