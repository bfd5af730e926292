package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.topic.TopicName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundTest {
    private final Map<String, CompletableFuture<Void>> running = new LinkedHashMap<>();
    private final List<String> ended = new ArrayList<>();
    private final Queue<Runnable> turns = new ArrayDeque<>();

    /** Runs what comes later only when it is asked to, as a stage does between its messages. */
    private final Island island = new ExecutorIsland(turns::add);

    @Test
    void atMostSoManyTopicsAreUnderWayAndOneThatHangsHoldsUpNoOther() {
        start(20, 3);
        assertThat(running.keySet()).containsExactly("t0", "t1", "t2");
        for (int i = 1; i < 20; i++) {
            assertThat(running).hasSize(Math.min(3, 21 - i));
            end("t" + i, null);
        }
        assertThat(ended).isEmpty();
        end("t0", null);
        assertThat(ended).containsExactly("done");
    }

    @Test
    void whatFailsIsLeftAndTheRoundGoesOn() {
        start(4, 2);
        end("t0", new IllegalStateException("closed"));
        end("t1", new IllegalStateException("closed"));
        assertThat(running.keySet()).containsExactly("t2", "t3");
        end("t3", null);
        end("t2", null);
        assertThat(ended).containsExactly("done");
    }

    @Test
    void aTaskThatThrowsIsOneThatFails() {
        new Round(
                        names(2),
                        name -> {
                            throw new IllegalStateException("refused");
                        },
                        island)
                .run(2, () -> ended.add("done"));
        runTurns();
        assertThat(ended).containsExactly("done");
    }

    @Test
    void withoutTopicsItIsDoneAtOnceAndOnce() {
        start(0, 8);
        assertThat(ended).containsExactly("done");
        start(1, 8);
        assertThat(running.keySet()).containsExactly("t0");
        end("t0", null);
        assertThat(ended).containsExactly("done", "done");
    }

    private void start(int topics, int atOnce) {
        new Round(
                        names(topics),
                        name -> running.computeIfAbsent(name.local(), unused -> new CompletableFuture<>()),
                        island)
                .run(atOnce, () -> ended.add("done"));
    }

    private static Queue<String> names(int topics) {
        return new ArrayDeque<>(IntStream.range(0, topics)
                .mapToObj(i -> TopicName.parse("t" + i).full())
                .toList());
    }

    private void end(String topic, Throwable failure) {
        CompletableFuture<Void> task = running.remove(topic);
        assertThat(task).as(topic).isNotNull();
        if (failure == null) {
            task.complete(null);
        } else {
            task.completeExceptionally(failure);
        }
        runTurns();
    }

    private void runTurns() {
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.run();
        }
    }
}
