package io.millrace.streams.schedule;

import io.millrace.streams.OwnJvm;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class ExecutorWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.from(new ForkJoinPool(2));
    }

    @Test
    void tasksRunThoughThereIsNoMemoryToLetOthersGoFirst() throws Exception {
        OwnJvm.assertSucceeds(FullHeapLaneProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:-UseTLAB"));
    }
}
