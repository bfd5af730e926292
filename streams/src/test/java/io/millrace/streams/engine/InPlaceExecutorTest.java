package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.SchedulerExecutor;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import io.millrace.testkit.StreamLeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An executor that runs on the calling thread what it is given carries streams of any length, in a stack that does not grow with them. */
final class InPlaceExecutorTest extends EngineTest {
    private static final int MANY = 10_000_000;
    private static final int SOME = 400_000;

    /** Runs in place, as Guava's direct executor and {@code Runnable::run} do. */
    private static final Executor IN_PLACE = Runnable::run;

    /** With turns of a few elements. */
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withEventBudget(4).withIslandBudget(8);
    }

    /** A line of so many islands on this executor, which counts these elements and runs each as an event of its own. */
    private static Source<Long, NotUsed> line(int elements, int islands, Executor executor) {
        Source<Integer, NotUsed> source = Source.range(0, elements).via(Flow.fromGraph(new PassOnStage()));
        for (int i = 1; i < islands; i++) {
            source = source.async().via(Flow.fromGraph(new PassOnStage()));
        }
        return source.fold(0L, (count, x) -> count + 1).withAttributes(Attributes.dispatcher(executor));
    }

    private static long result(Source<Long, ?> source, StreamRuntime runtime) throws Exception {
        return await(source.runWith(Sink.head(), runtime), Duration.ofMinutes(2));
    }

    @Test
    void aStreamOfAnyLengthRunsToItsEnd() throws Exception {
        assertThat(result(line(MANY, 1, IN_PLACE), runtime)).isEqualTo(MANY);
    }

    @Test
    void soDoesALineOfManyIslandsBesidesOthers() throws Exception {
        assertThat(result(line(SOME, 2, IN_PLACE), runtime)).isEqualTo(SOME);
        assertThat(result(line(SOME, 5, IN_PLACE), runtime)).isEqualTo(SOME);
    }

    @Test
    void soDoesAStreamWhoseRuntimeRunsInPlace() throws Exception {
        try (StreamRuntime inPlace = StreamRuntime.create(settings().withExecutor(IN_PLACE))) {
            assertThat(result(line(SOME, 1, IN_PLACE), inPlace)).isEqualTo(SOME);
            assertThat(result(line(SOME, 3, IN_PLACE), inPlace)).isEqualTo(SOME);
        }
    }

    @Test
    void soDoesOneOnAPoolWhoseCallersRunWhatItHasNoRoomFor() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        List<CompletableFuture<Long>> counts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            counts.add(line(SOME, 3, pool).runWith(Sink.head(), runtime).toCompletableFuture());
        }
        for (CompletableFuture<Long> count : counts) {
            assertThat(await(count)).isEqualTo(SOME);
        }
        StreamLeakCheck.assertNoStreams(runtime); // once it is shut down, the pool drops what it is given
        pool.shutdown();
    }

    @Test
    void soDoTheLanesOfAScheduler() throws Exception {
        Scheduler lanes = Schedulers.from(IN_PLACE);
        assertThat(result(line(SOME, 3, new SchedulerExecutor(lanes)), runtime)).isEqualTo(SOME);
        assertThat(tasksInTurns(lanes.createWorker(), lanes.createWorker())).isEqualTo(MANY);
        Worker one = lanes.createWorker();
        assertThat(tasksInTurns(one, one)).isEqualTo(MANY);
    }

    /** How many tasks have run in place, of which each schedules the next one on the other lane. */
    private static long tasksInTurns(Worker first, Worker second) {
        AtomicLong ran = new AtomicLong();
        first.schedule(task(first, second, ran));
        return ran.get();
    }

    private static Runnable task(Worker here, Worker there, AtomicLong ran) {
        return () -> {
            if (ran.incrementAndGet() < MANY) {
                there.schedule(task(there, here, ran));
            }
        };
    }

    /** An executor may take a turn, have other work of its own to do on the same thread, and only then return. */
    @Test
    void aTurnGivenAgainIsNotLostWhereTheExecutorRunsAnotherFirst() throws Exception {
        Queue<Runnable> kept = new ConcurrentLinkedQueue<>();
        Executor lastFirst = new Executor() {
            private boolean keeps;

            @Override
            public void execute(Runnable task) {
                keeps = !keeps;
                if (keeps) {
                    kept.add(task);
                    return;
                }
                task.run();
                for (Runnable next = kept.poll(); next != null; next = kept.poll()) {
                    next.run();
                }
            }
        };
        try (StreamRuntime inTurns = StreamRuntime.create(settings().withExecutor(lastFirst))) {
            CompletableFuture<Long> count =
                    line(SOME, 3, lastFirst).runWith(Sink.head(), inTurns).toCompletableFuture();
            while (!count.isDone()) {
                lastFirst.execute(() -> {});
            }
            assertThat(await(count)).isEqualTo(SOME);
        }
    }
}
