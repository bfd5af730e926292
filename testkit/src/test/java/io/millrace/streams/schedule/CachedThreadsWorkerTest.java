package io.millrace.streams.schedule;

class CachedThreadsWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.cachedThreads(java.time.Duration.ofSeconds(5));
    }
}
