package io.millrace.benchmarks.schedule;

import io.millrace.streams.schedule.DisposableList;
import io.millrace.streams.schedule.TrackedDisposable;
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.Disposables;

/**
 * One pair: the next task is added and the oldest removed, by one thread, while so many are outstanding; with
 * {@code pinned}, one more that was added first stays for ever.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // set by JMH and the set-up
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OwnerTrackingBenchmark {
    static final int PAIRS = 1024;

    @Param({"1", "1000", "100000"})
    int outstanding;

    @Param({"free", "pinned"})
    String delayed;

    private TrackedTask[] tasks;
    private final DisposableList list = new DisposableList();
    private final CompositeDisposable rxjava = new CompositeDisposable();
    private final reactor.core.Disposable.Composite reactor = Disposables.composite();
    private int next;

    /** A task for all three. */
    static final class TrackedTask extends TrackedDisposable implements Disposable, reactor.core.Disposable {
        @Override
        public void dispose() {
            throw new IllegalStateException("a tracked task was disposed");
        }

        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    @Setup
    public void setUp() {
        tasks = new TrackedTask[outstanding + 1];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new TrackedTask();
        }
        if (delayed.equals("pinned")) {
            TrackedTask pinned = new TrackedTask();
            list.add(pinned);
            rxjava.add(pinned);
            reactor.add(pinned);
        }
        for (int i = 0; i < outstanding; i++) {
            list.add(tasks[i]);
            rxjava.add(tasks[i]);
            reactor.add(tasks[i]);
        }
        next = outstanding;
    }

    @TearDown
    public void checkThatAllAreThere() {
        int expected = outstanding + (delayed.equals("pinned") ? 1 : 0);
        if (list.size() != expected || rxjava.size() != expected || reactor.size() != expected) {
            throw new IllegalStateException("tasks were lost: " + list.size() + ", " + rxjava.size() + ", "
                    + reactor.size() + " of " + expected);
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void millrace() {
        TrackedTask[] all = tasks;
        int at = next;
        for (int i = 0; i < PAIRS; i++) {
            list.add(all[at]);
            at = at + 1 == all.length ? 0 : at + 1;
            if (!list.remove(all[at])) {
                throw new IllegalStateException("a task was not tracked");
            }
        }
        next = at;
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void rxjava() {
        TrackedTask[] all = tasks;
        int at = next;
        for (int i = 0; i < PAIRS; i++) {
            rxjava.add(all[at]);
            at = at + 1 == all.length ? 0 : at + 1;
            if (!rxjava.delete(all[at])) {
                throw new IllegalStateException("a task was not tracked");
            }
        }
        next = at;
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void reactor() {
        TrackedTask[] all = tasks;
        int at = next;
        for (int i = 0; i < PAIRS; i++) {
            reactor.add(all[at]);
            at = at + 1 == all.length ? 0 : at + 1;
            if (!reactor.remove(all[at])) {
                throw new IllegalStateException("a task was not tracked");
            }
        }
        next = at;
    }
}
