package io.millrace.streams.schedule;

import java.util.concurrent.ForkJoinPool;

class ExecutorWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.from(new ForkJoinPool(2));
    }
}
