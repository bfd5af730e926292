package io.millrace.streams.schedule;

class ExecutorWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.from(java.util.concurrent.ForkJoinPool.commonPool());
    }
}
