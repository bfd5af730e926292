package io.millrace.streams.schedule;

import java.time.Duration;

class CachedThreadsWorkerTest extends WorkerContract {
    @Override
    Scheduler newScheduler() {
        return Schedulers.cachedThreads(Duration.ofSeconds(5));
    }
}
