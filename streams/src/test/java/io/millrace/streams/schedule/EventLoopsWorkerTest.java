package io.millrace.streams.schedule;

class EventLoopsWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.eventLoops(2);
    }
}
