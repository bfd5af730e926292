package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.schedule.BlockingCall;
import io.millrace.streams.schedule.BlockingDetector;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The code of docs/guides/schedulers.md. */
class SchedulersGuideTest {
    @Test
    void aWorkerKeepsItsTasksInOrder() throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        // snippet: worker
        try (Scheduler scheduler = Schedulers.eventLoops()) {
            Worker worker = scheduler.createWorker();
            worker.schedule(done::countDown);
            worker.schedule(done::countDown, Duration.ofMillis(5));
            Disposable reminder = worker.schedulePeriodically(() -> {}, Duration.ofHours(1), Duration.ofHours(1));
            reminder.dispose(); // the task and all it holds are garbage now, though the handle is not
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
            worker.dispose(); // drops all that waits, and refuses more
        }
        // end
    }

    @Test
    void aCallThatBlocksAnEventLoopIsFound() {
        CompletableFuture<BlockingCall> found = new CompletableFuture<>();
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        try (Scheduler scheduler = Schedulers.eventLoops()) {
            // snippet: blocking
            BlockingDetector detector = BlockingDetector.start(Duration.ofMillis(20), found::complete);
            scheduler.schedule(() -> answer.join()); // waits on an event loop
            assertThat(found.join().toString()).contains("must not block").contains("SchedulersGuideTest");
            detector.dispose();
            // end
            answer.complete(1);
        }
    }

    @Test
    void partsOfAStreamRunWhereTheyAreTold() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create();
                Scheduler blocking = Schedulers.elastic();
                Scheduler screen = Schedulers.single()) {
            // snippet: places
            CompletionStage<List<String>> lines = Source.of("a", "b")
                    .map(String::toUpperCase) // may block: runs on the elastic scheduler
                    .subscribeOn(blocking)
                    .observeOn(screen) // a boundary; what follows runs on the single thread
                    .map(line -> Thread.currentThread().getName() + ": " + line)
                    .runWith(Sink.seq(), runtime);
            // end
            assertThat(lines.toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .containsExactly("millrace-single-1: A", "millrace-single-1: B");
        }
    }

    @Test
    void timeIsMovedByHandInATest() {
        // snippet: virtual-time
        VirtualTimeScheduler time = new VirtualTimeScheduler();
        RuntimeSettings onThisThread = RuntimeSettings.defaults().withExecutor(Runnable::run);
        try (StreamRuntime runtime = StreamRuntime.create(onThisThread, time)) {
            Pair<Disposable, TestSink<String>> run = Source.tick(Duration.ZERO, Duration.ofDays(1), "good morning")
                    .toMat(TestSink.<String>probe(), Keep.both())
                    .run(runtime);
            run.second().request(2);
            time.advance(Duration.ofDays(1));
            run.second().expectNext("good morning", "good morning");
            run.first().dispose();
            run.second().expectComplete();
        }
        // end
    }
}
