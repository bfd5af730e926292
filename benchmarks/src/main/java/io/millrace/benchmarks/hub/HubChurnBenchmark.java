package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A hundred consumers get everything while others join at 10 000 a second, take ten elements and leave: the elements per second
 * that those who stay get, and how many could join.
 */
public final class HubChurnBenchmark implements Benchmark {
    private static final int STAYING = 100;
    private static final int BUFFER = 256;
    private static final int JOINS_PER_SECOND = 10_000;
    private static final int MAX_VISITORS = 1000;
    private static final int ELEMENTS_PER_VISIT = 10;

    @Override
    public String name() {
        return "hub-churn";
    }

    @Override
    public String summary() {
        return "consumers join and leave at 10 000/s during a broadcast, beside Pekko";
    }

    /** Counts what a consumer that stays gets, and checks that nothing is missing. */
    private static final class Staying {
        private int received;
        private volatile boolean disordered;

        void accept(Integer element) {
            if (element != received) {
                disordered = true;
            }
            received++;
        }
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Rounds elements = new Rounds();
        Rounds joins = new Rounds();
        long millis = setting.count(5000, 1500);
        int rounds = setting.count(3, 2);
        for (int round = 0; round <= rounds; round++) {
            for (LiveHub hub : List.of(new MillraceLiveHub(), new PekkoLiveHub())) {
                try (hub) {
                    churn(hub, millis, elements, joins);
                }
            }
        }
        elements.report("hub-churn-elements", "elements/s", Better.HIGHER, report);
        joins.report("hub-churn-joins", "joins/s", Better.HIGHER, report);
    }

    private static void churn(LiveHub hub, long millis, Rounds elements, Rounds joins) throws Exception {
        hub.count(STAYING, BUFFER);
        List<Staying> staying = new ArrayList<>();
        for (int i = 0; i < STAYING; i++) {
            Staying one = new Staying();
            staying.add(one);
            hub.attach(one::accept);
        }
        TimeUnit.MILLISECONDS.sleep(200);
        int before = staying.get(0).received;
        long started = System.nanoTime();
        long joined = join(hub, started, TimeUnit.MILLISECONDS.toNanos(millis));
        double seconds = (System.nanoTime() - started) / 1e9;
        elements.add(hub.name(), (staying.get(0).received - before) / seconds);
        joins.add(hub.name(), joined / seconds);
        if (staying.stream().anyMatch(one -> one.disordered || one.received == 0)) {
            throw new IllegalStateException(hub.name() + " lost elements of consumers that stayed");
        }
    }

    /** Joins at the rate, or as fast as earlier visitors leave; hands back how many have come and gone. */
    private static long join(LiveHub hub, long started, long nanos) throws InterruptedException {
        Semaphore free = new Semaphore(MAX_VISITORS);
        AtomicLong left = new AtomicLong();
        long nanosPerJoin = TimeUnit.SECONDS.toNanos(1) / JOINS_PER_SECOND;
        for (long join = 0; System.nanoTime() - started < nanos; join++) {
            long early = started + join * nanosPerJoin - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(early);
            }
            if (free.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                hub.visit(ELEMENTS_PER_VISIT, () -> {
                    left.incrementAndGet();
                    free.release();
                });
            }
        }
        return left.get();
    }
}
