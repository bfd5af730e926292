package io.millrace.streams.schedule;

class ElasticWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.elastic();
    }
}
