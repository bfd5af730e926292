package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who looks for what is deferred finds it here until it was told that it goes on elsewhere. */
class DeferredTasksTest {
    private final WorkerPool pool = new WorkerPool("deferred", 1, Duration.ZERO, Elsewhere.NOWHERE);
    private final DeferredTasks tasks = new DeferredTasks();

    @AfterEach
    void close() {
        pool.close();
    }

    /** Notes what is deferred when it hears that it is not any more. */
    private final class Told implements Deferrable {
        private final List<Deferrable> deferred = new ArrayList<>();

        @Override
        public void run() {}

        @Override
        public void noLongerDeferred() {
            tasks.addTo(deferred);
        }
    }

    private Told defer() {
        Told told = new Told();
        DeferredTask task = new DeferredTask();
        task.hold(pool, told);
        tasks.add(task);
        return told;
    }

    @Test
    @Behaviour("MAT-6")
    void oneThatGivesWayToTheNextIsShownUntilItWasTold() {
        Told first = defer();
        Told second = defer();
        assertThat(first.deferred).contains(first);
        assertThat(second.deferred).isEmpty();
        List<Deferrable> left = new ArrayList<>();
        tasks.addTo(left);
        assertThat(left).containsExactly(second);
    }
}
