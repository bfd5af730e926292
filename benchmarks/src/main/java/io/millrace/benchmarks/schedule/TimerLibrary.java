package io.millrace.benchmarks.schedule;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Schedulers;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;

/** One library's timers, said in the few words that the workloads need. */
enum TimerLibrary {
    MILLRACE("ours") {
        @Override
        TimerWorker newWorker() {
            return new Millrace();
        }

        @Override
        long timeout(int elements, Duration timeout) {
            try (StreamRuntime runtime = StreamRuntime.create()) {
                return Source.range(0, elements)
                        .timeout(timeout)
                        .runWith(Sink.fold(0L, (count, element) -> count + 1), runtime)
                        .toCompletableFuture()
                        .join();
            }
        }
    },
    RXJAVA("rxjava") {
        @Override
        TimerWorker newWorker() {
            return new RxJava();
        }

        @Override
        long timeout(int elements, Duration timeout) {
            return Flowable.range(0, elements)
                    .timeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .reduce(0L, (count, element) -> count + 1)
                    .blockingGet();
        }
    },
    REACTOR("reactor") {
        @Override
        TimerWorker newWorker() {
            return new Reactor();
        }

        @Override
        long timeout(int elements, Duration timeout) {
            Long counted = Flux.range(0, elements)
                    .timeout(timeout)
                    .reduce(0L, (count, element) -> count + 1)
                    .block();
            return counted == null ? 0 : counted;
        }
    };

    static final List<TimerLibrary> ALL = List.of(values());

    private final String label;

    TimerLibrary(String label) {
        this.label = label;
    }

    /** What the report calls it. */
    String label() {
        return label;
    }

    /** A worker on a thread of its own. */
    abstract TimerWorker newWorker();

    /** Sends so many numbers through the timeout operator and hands back how many came out. */
    abstract long timeout(int elements, Duration timeout);

    private static final class Millrace implements TimerWorker {
        private final io.millrace.streams.schedule.Scheduler scheduler = Schedulers.single();
        private final io.millrace.streams.schedule.Worker worker = scheduler.createWorker();

        @Override
        public Object schedule(Runnable task, Duration delay) {
            return worker.schedule(task, delay);
        }

        @Override
        public void schedule(Runnable task) {
            worker.schedule(task);
        }

        @Override
        public void cancel(Object task) {
            ((Disposable) task).dispose();
        }

        @Override
        public void dispose() {
            worker.dispose();
        }

        @Override
        public void scheduleBeside(Runnable task) {
            scheduler.createWorker().schedule(task);
        }

        @Override
        public void close() {
            scheduler.shutdown();
        }
    }

    private static final class RxJava implements TimerWorker {
        private final io.reactivex.rxjava3.core.Scheduler scheduler =
                io.reactivex.rxjava3.schedulers.Schedulers.computation();
        private final io.reactivex.rxjava3.core.Scheduler.Worker worker = scheduler.createWorker();

        @Override
        public Object schedule(Runnable task, Duration delay) {
            return worker.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void schedule(Runnable task) {
            worker.schedule(task);
        }

        @Override
        public void cancel(Object task) {
            ((io.reactivex.rxjava3.disposables.Disposable) task).dispose();
        }

        @Override
        public void dispose() {
            worker.dispose();
        }

        @Override
        public void scheduleBeside(Runnable task) {
            scheduler.scheduleDirect(task);
        }

        @Override
        public void close() {
            worker.dispose();
        }
    }

    private static final class Reactor implements TimerWorker {
        private final reactor.core.scheduler.Scheduler scheduler =
                reactor.core.scheduler.Schedulers.newSingle("bench", true);
        private final reactor.core.scheduler.Scheduler.Worker worker = scheduler.createWorker();

        @Override
        public Object schedule(Runnable task, Duration delay) {
            return worker.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void schedule(Runnable task) {
            worker.schedule(task);
        }

        @Override
        public void cancel(Object task) {
            ((reactor.core.Disposable) task).dispose();
        }

        @Override
        public void dispose() {
            worker.dispose();
        }

        @Override
        public void scheduleBeside(Runnable task) {
            scheduler.schedule(task);
        }

        @Override
        public void close() {
            worker.dispose();
            scheduler.dispose();
        }
    }
}
