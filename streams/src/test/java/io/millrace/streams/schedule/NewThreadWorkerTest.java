package io.millrace.streams.schedule;

class NewThreadWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.newThread();
    }
}
