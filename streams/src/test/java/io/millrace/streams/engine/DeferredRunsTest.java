package io.millrace.streams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that waits for who may wait for it, or runs there, is not listed; it is seen and ended like all others. */
@Timeout(60)
final class DeferredRunsTest extends EngineTest {
    private static final int MANY = 40;

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger entered = new AtomicInteger();

    @Override
    protected RuntimeSettings settings() {
        return super.settings().withThreads(1).withCloseTimeout(Duration.ofSeconds(2));
    }

    private int block(int n) throws InterruptedException {
        entered.incrementAndGet();
        release.await();
        return n;
    }

    private List<StreamSnapshot> streams() {
        return runtime.snapshot().streams();
    }

    @Test
    void itIsSeenFromItsRunToItsEnd() {
        for (int i = 0; i < 20_000; i++) {
            CompletableFuture<List<Integer>> result =
                    Source.range(0, 3).runWith(Sink.seq(), runtime).toCompletableFuture();
            if (!result.isDone()) {
                List<StreamSnapshot> seen = streams();
                assertThat(seen.size() == 1 || result.isDone()).as("%s", seen).isTrue();
            }
            assertThat(result.join()).containsExactly(0, 1, 2);
            Await.until("it is not listed any more", () -> streams().isEmpty()); // which may be after its result
        }
    }

    /** There are fewer places than threads that help here. */
    @Test
    void allAreSeenThoughMoreThreadsHelpThanThereArePlaces() throws Exception {
        List<Thread> helpers = helpers(new ArrayList<>());
        Await.until("all are in the function", () -> entered.get() == MANY);
        assertThat(streams()).hasSize(MANY);
        assertThat(streams().stream().map(StreamSnapshot::id).distinct()).hasSize(MANY);
        release.countDown();
        for (Thread helper : helpers) {
            helper.join();
        }
        Await.until("nothing is listed any more", () -> streams().isEmpty());
    }

    @Test
    void oneThatOutlastsItsFirstTurnIsSeen() throws Exception {
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Integer> late = new CompletableFuture<>();
            CountDownLatch asked = new CountDownLatch(1);
            CompletableFuture<List<Integer>> result = Source.single(1)
                    .mapAsync(1, n -> {
                        asked.countDown();
                        return late;
                    })
                    .runWith(Sink.seq(), runtime)
                    .toCompletableFuture();
            Thread helper = new Thread(result::join);
            helper.start();
            asked.await();
            Await.until("it waits", () -> helper.getState() == Thread.State.WAITING);
            assertThat(streams()).hasSize(1);
            late.complete(i);
            helper.join();
            assertThat(result.join()).containsExactly(i);
            Await.until("it is not listed any more", () -> streams().isEmpty());
        }
    }

    @Test
    @Behaviour("MAT-6")
    void closingEndsThoseThatRunWhereTheyAreAwaited() throws Exception {
        List<CompletableFuture<List<Integer>>> results = new ArrayList<>();
        List<Thread> helpers = helpers(results);
        Await.until("all are in the function", () -> entered.get() == MANY && sizeOf(results) == MANY);
        runtime.close();
        assertThat(results).allSatisfy(result -> assertThat(result).isCompletedExceptionally());
        release.countDown(); // not all are interrupted, as there are more than places
        for (Thread helper : helpers) {
            helper.join();
        }
        Await.until("nothing is listed any more", () -> streams().isEmpty());
    }

    @Test
    @Behaviour("MAT-6")
    void whatIsRunWhileTheRuntimeIsClosedEndsOrIsRefused() throws Exception {
        for (int round = 0; round < 300; round++) {
            StreamRuntime closed = StreamRuntime.create(settings());
            CompletableFuture<?> closing = CompletableFuture.runAsync(closed::close);
            assertThatThrownBy(() -> runUntilItIsClosed(closed))
                    .isInstanceOfAny(IllegalStateException.class, CompletionException.class)
                    .hasMessageContaining("closed");
            closing.join();
            Await.until(
                    "nothing is listed any more",
                    () -> closed.snapshot().streams().isEmpty());
        }
    }

    private static void runUntilItIsClosed(StreamRuntime closed) {
        while (true) {
            assertThat(Source.range(0, 3)
                            .runWith(Sink.seq(), closed)
                            .toCompletableFuture()
                            .join())
                    .hasSize(3);
        }
    }

    private static int sizeOf(List<?> results) {
        synchronized (results) {
            return results.size();
        }
    }

    private List<Thread> helpers(List<CompletableFuture<List<Integer>>> results) {
        List<Thread> helpers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Thread helper = new Thread(() -> {
                CompletableFuture<List<Integer>> result = Source.range(0, 3)
                        .map(this::block)
                        .runWith(Sink.seq(), runtime)
                        .toCompletableFuture();
                synchronized (results) {
                    results.add(result);
                }
                try {
                    assertThat(result.join()).hasSize(3);
                } catch (CancellationException | CompletionException closed) {
                    assertThat(runtime.isClosed()).isTrue();
                }
            });
            helper.setDaemon(true);
            helper.start();
            helpers.add(helper);
        }
        return helpers;
    }
}
