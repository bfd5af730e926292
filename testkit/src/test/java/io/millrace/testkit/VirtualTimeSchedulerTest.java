package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class VirtualTimeSchedulerTest {
    private final VirtualTimeScheduler scheduler = new VirtualTimeScheduler();
    private final Worker worker = scheduler.createWorker();
    private final List<String> ran = new ArrayList<>();

    private void note(String name) {
        ran.add(name + "@" + scheduler.nowNanos());
    }

    @Test
    @Behaviour("SCH-14")
    void nothingRunsBeforeItsTickAndAllSeeTheirOwnTime() {
        worker.schedule(() -> note("c"), Duration.ofNanos(30));
        worker.schedule(() -> note("a"), Duration.ofNanos(10));
        worker.schedule(
                () -> {
                    note("b");
                    worker.schedule(() -> note("inner"), Duration.ofNanos(5));
                },
                Duration.ofNanos(10));
        worker.schedule(() -> note("now"));
        assertThat(ran).isEmpty();
        scheduler.runDue();
        assertThat(ran).containsExactly("now@0");
        scheduler.advance(Duration.ofNanos(9));
        assertThat(ran).hasSize(1);
        scheduler.advance(Duration.ofNanos(21));
        assertThat(ran).containsExactly("now@0", "a@10", "b@10", "inner@15", "c@30");
        assertThat(scheduler.nowNanos()).isEqualTo(30);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    @Behaviour("SCH-7")
    void disposedTimersAreForgottenThoughTheClockStands() {
        for (int i = 0; i < 100_000; i++) {
            worker.schedule(() -> note("never"), Duration.ofDays(1)).dispose();
        }
        assertThat(scheduler.kept()).isLessThan(1_000);
        worker.schedule(() -> note("kept"), Duration.ofNanos(1));
        scheduler.advance(Duration.ofDays(2));
        assertThat(ran).containsExactly("kept@1");
    }

    @Test
    @Behaviour("SCH-14")
    void whatHasBecomeDueIsRunOrToldThatItIsNot() {
        scheduler.schedule(
                new DroppableTask() {
                    @Override
                    public void run() {
                        note("ran");
                    }

                    @Override
                    public void dropped() {
                        note("dropped");
                    }
                },
                Duration.ofNanos(1));
        scheduler.advance(Duration.ofNanos(1), scheduler::shutdown);
        assertThat(ran).hasSize(1);
    }

    @Test
    @Behaviour({"SCH-10", "SCH-14"})
    void periodicTasksRunOncePerPeriodUntilTheyAreDisposedOrThrow() {
        Disposable task = worker.schedulePeriodically(() -> note("tick"), Duration.ofNanos(1), Duration.ofNanos(10));
        scheduler.advance(Duration.ofNanos(21));
        assertThat(ran).containsExactly("tick@1", "tick@11", "tick@21");
        task.dispose();
        worker.schedulePeriodically(
                () -> {
                    throw new IllegalStateException("boom");
                },
                Duration.ofNanos(1),
                Duration.ofNanos(1));
        assertThatThrownBy(() -> scheduler.advance(Duration.ofNanos(5))).hasMessage("boom");
        scheduler.advance(Duration.ofNanos(100));
        assertThat(ran).hasSize(3);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    @Behaviour({"SCH-5", "SCH-11", "SCH-14"})
    void disposalAndShutdownDropWhatWaits() {
        worker.schedule(() -> note("never"), Duration.ofNanos(1));
        worker.dispose();
        assertThat(worker.schedule(() -> note("never")).isDisposed()).isTrue();
        scheduler.schedule(() -> note("never"), Duration.ofNanos(1));
        scheduler.shutdown();
        assertThatThrownBy(() -> scheduler.schedule(() -> {})).isInstanceOf(RejectedExecutionException.class);
        scheduler.start();
        scheduler.advance(Duration.ofNanos(5));
        assertThat(ran).isEmpty();
    }

    @Test
    void aPeriodOfZeroRunsOnceForEachAdvance() {
        worker.schedulePeriodically(
                () -> {
                    note("tick");
                    assertThat(ran).as("the advance does not end").hasSizeLessThan(10);
                },
                Duration.ofNanos(1),
                Duration.ZERO);
        worker.schedule(() -> note("other"), Duration.ofNanos(2));
        scheduler.advance(Duration.ofNanos(3));
        assertThat(ran).containsExactly("tick@1", "other@2");
        scheduler.runDue();
        scheduler.advance(Duration.ofNanos(1));
        assertThat(ran).containsExactly("tick@1", "other@2", "tick@3", "tick@3");
        assertThat(scheduler.waiting()).isEqualTo(1);
        worker.dispose();
        scheduler.runDue();
        assertThat(ran).hasSize(4);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void noTaskIsRefusedAtOnce() {
        assertThatThrownBy(() -> scheduler.schedule(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> worker.schedule(null, Duration.ofNanos(1))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> worker.schedulePeriodically(null, Duration.ZERO, Duration.ofNanos(1)))
                .isInstanceOf(NullPointerException.class);
        assertThat(scheduler.waiting()).isZero();
    }
}
