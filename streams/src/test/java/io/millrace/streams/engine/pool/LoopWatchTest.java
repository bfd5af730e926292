package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoopWatchTest {
    private static final int CHUNK = 1024;

    private final TurnMonitor monitor = new TurnMonitor("loops", new Turn[0], () -> false);
    private final LoopWatch watch = new LoopWatch();

    @AfterEach
    void close() {
        monitor.close();
    }

    private static boolean isOff(LoopWatch asked) throws Throwable {
        return (boolean) asked.isOff().invokeExact();
    }

    private static void runLoops(Turn turn, LoopWatch watch, int count) {
        for (int i = 0; i < count; i++) {
            int before = turn.open(CHUNK);
            turn.enter(watch, CHUNK);
            turn.leave(CHUNK);
            turn.close(before);
        }
    }

    @Test
    @Behaviour("INT-11")
    void loopsLookOnceOneHasLasted() throws Throwable {
        Turn turn = monitor.claim();
        turn.open(CHUNK);
        assertThat(turn.allowed()).isEqualTo(CHUNK);
        turn.enter(watch, CHUNK);
        Await.until("the loop looks", watch::isOn);
        assertThat(isOff(watch)).isFalse();
        assertThat(turn.takesMoreThan(0)).isFalse();
        turn.leave(CHUNK);
        turn.end();
    }

    @Test
    @Behaviour("INT-11")
    void loopsAroundTheOneThatLastsLookToo() {
        LoopWatch around = new LoopWatch();
        LoopWatch within = new LoopWatch();
        Turn turn = monitor.claim();
        turn.open(CHUNK);
        turn.enter(around, CHUNK);
        turn.open(CHUNK);
        turn.enter(watch, CHUNK);
        turn.open(CHUNK);
        turn.enter(within, CHUNK);
        Await.until("all look", () -> around.isOn() && watch.isOn() && within.isOn());
        turn.end();
    }

    /** A long turn of short loops ends with the loop in hand, which is soon enough. */
    @Test
    void loopsThatAreShortDoNotLook() {
        Turn turn = monitor.turns().claim(); // without the monitor's thread
        for (int i = 0; i < 5; i++) {
            turn.open(CHUNK);
            turn.enter(watch, CHUNK);
            monitor.check();
            turn.leave(CHUNK);
        }
        assertThat(turn.isLong()).isTrue();
        assertThat(watch.isOn()).isFalse();
    }

    /** Those that last now and then look all the time. */
    @Test
    void loopsThatDidNotLastAreCountedFromTheLastThatDid() {
        Turn turn = new Turn();
        watch.turnOn();
        for (int i = 0; i < 10; i++) {
            runLoops(turn, watch, LoopWatch.FIRST_LOOPS / 2);
            watch.turnOn();
        }
        assertThat(watch.isOn()).isTrue();
        runLoops(turn, watch, LoopWatch.FIRST_LOOPS);
        assertThat(watch.isOn()).isFalse();
    }

    @Test
    void aSingleElementNeedsNoLook() {
        Turn turn = monitor.claim();
        turn.open(1);
        turn.enter(watch, 1);
        for (int i = 0; i < 10; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        assertThat(watch.isOn()).isFalse();
        turn.leave(1);
        turn.end();
    }

    @Test
    void theyLookNoMoreAfterManyLoopsThatDidNotLastAndEachTimeAfterTwiceAsMany() throws Throwable {
        Turn turn = new Turn();
        for (int loops = LoopWatch.FIRST_LOOPS; loops <= 8 * LoopWatch.FIRST_LOOPS; loops *= 2) {
            watch.turnOn();
            runLoops(turn, watch, loops - 1);
            assertThat(isOff(watch)).isFalse();
            runLoops(turn, watch, 1);
            assertThat(isOff(watch)).isTrue();
        }
    }

    @Test
    void theyAreNotCompiledAnewWithoutEnd() throws Throwable {
        Turn turn = new Turn();
        int changes = 0;
        for (int i = 0; i < 50; i++) {
            changes += isOff(watch) ? 1 : 0;
            watch.turnOn();
            runLoops(turn, watch, LoopWatch.MOST_LOOPS / 8);
        }
        assertThat(changes).isBetween(5, 20);
        assertThat(isOff(watch)).isFalse();
    }
}
