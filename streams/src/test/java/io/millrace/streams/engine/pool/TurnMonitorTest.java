package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class TurnMonitorTest {
    private static final int THREADS = 16;
    private static final int MANY = 100;
    private static final int MAX_TURNS = 2 * THREADS;

    @RepeatedTest(20)
    @Behaviour("INT-11")
    void threadsThatFindAllTurnsTakenAtOnceMakeNoMoreThanTheyNeed() throws Exception {
        TurnMonitor monitor = new TurnMonitor("claims", new Turn[0], () -> false);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        CountDownLatch claimed = new CountDownLatch(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Turn>> turns = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                turns.add(threads.submit(() -> {
                    start.await();
                    Turn own = monitor.claim();
                    claimed.countDown();
                    claimed.await();
                    own.end();
                    return own;
                }));
            }
            List<Turn> all = new ArrayList<>();
            for (Future<Turn> turn : turns) {
                all.add(turn.get(20, TimeUnit.SECONDS));
            }
            assertThat(all).doesNotHaveDuplicates();
            assertThat(monitor.turns().claimableCount()).isLessThanOrEqualTo(MAX_TURNS);
        } finally {
            threads.shutdownNow();
            monitor.close();
        }
    }

    @Test
    @Behaviour("INT-10")
    void whatALongTurnPostponesIsDoneHoweverLateInTheTurn() throws Exception {
        TurnMonitor monitor = new TurnMonitor("late", new Turn[0], () -> false);
        try {
            Turn turn = monitor.claim();
            for (int i = 0; i < 3; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // nothing changes, and the monitor rests
                CountDownLatch done = new CountDownLatch(1);
                turn.postpone(new Postponed() {
                    @Override
                    protected void perform() {
                        done.countDown();
                    }
                });
                assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            }
            turn.end();
        } finally {
            monitor.close();
        }
    }

    @Test
    @Behaviour("INT-11")
    void turnsThatManyThreadsNeededOnceAreDroppedAndThoseThatRunAreStillSeen() {
        TurnMonitor monitor = new TurnMonitor("many", new Turn[] {new Turn()}, () -> false);
        try {
            List<Turn> turns = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                turns.add(monitor.claim());
            }
            Turn last = turns.remove(MANY - 1);
            turns.forEach(Turn::end);
            Await.until("few can be claimed", () -> monitor.turns().claimableCount() < THREADS);
            assertThat(monitor.turns().all()).contains(last);
            CountDownLatch seen = new CountDownLatch(1);
            last.postpone(new Postponed() {
                @Override
                protected void perform() {
                    seen.countDown();
                }
            });
            Await.until("what it has postponed is done", () -> seen.getCount() == 0);
            last.end();
            Await.until("few are left", () -> monitor.turns().all().length < THREADS);
            turns.removeAll(List.of(monitor.turns().all()));
            assertThat(turns).as("what can be claimed and is not seen").noneMatch(Turn::claim);
        } finally {
            monitor.close();
        }
    }
}
