package io.millrace.streams.schedule;

class SingleWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.single();
    }
}
