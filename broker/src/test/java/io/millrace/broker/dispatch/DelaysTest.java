package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.SubSinkInlet;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DelaysTest {
    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

    private long nowMillis = HOUR_MILLIS;
    private final OneTimer timer = new OneTimer();
    private final DelayedEntries entries = new DelayedEntries();
    private final Delays delays =
            new Delays(entries, new RedeliveryQueue(), () -> Instant.ofEpochMilli(nowMillis), timer);

    private boolean keep(long entryId, long deliverAtMillis) {
        EntryHeader header = new EntryHeader(1, nowMillis, 0, deliverAtMillis, 0);
        return delays.keep(new Entry(new Position(1, entryId), header, Unpooled.EMPTY_BUFFER), new SharedDispatch());
    }

    /** Timers do not go on meanwhile. */
    @Test
    void anEntryIsNotLateByWhatTheClockWasSetForwardOrTheMachineSlept() {
        assertThat(keep(0, nowMillis + 2 * HOUR_MILLIS)).isTrue();
        for (int round = 0; round < 3; round++) {
            assertThat(timer.fire()).isLessThanOrEqualTo(Duration.ofMillis(Delays.MAX_WAIT_MILLIS));
            delays.release();
            assertThat(entries.size()).isEqualTo(1);
        }
        nowMillis += 2 * HOUR_MILLIS;
        assertThat(timer.fire()).isLessThanOrEqualTo(Duration.ofMillis(Delays.MAX_WAIT_MILLIS));
        delays.release();
        assertThat(entries.size()).isZero();
        assertThat(timer.task).as("when nothing is delayed").isNull();
    }

    /** As two chunks of a message, of which the second is read when their time has come, and the tick has not. */
    @Test
    void whatIsDueIsNotSentBeforeWhatWaitsForTheSameTick() {
        long deliverAt = nowMillis + 100;
        assertThat(keep(0, deliverAt)).isTrue();
        nowMillis += 150;
        delays.release();
        assertThat(keep(1, deliverAt)).isTrue();
        assertThat(keep(2, nowMillis - HOUR_MILLIS / 2))
                .as("what was due long ago")
                .isFalse();
        nowMillis += 100;
        assertThat(keep(3, deliverAt)).as("before they are released").isTrue();
        delays.release();
        assertThat(entries.size()).isZero();
        assertThat(keep(4, deliverAt)).isFalse();
    }

    @Test
    void theTimerIsSetAnewOnlyForWhatIsDueBeforeIt() {
        keep(0, nowMillis + HOUR_MILLIS);
        int set = timer.set;
        keep(1, nowMillis + HOUR_MILLIS / 2);
        assertThat(timer.set).isEqualTo(set);
        keep(2, nowMillis + 1_000);
        assertThat(timer.set).isEqualTo(set + 1);
        assertThat(timer.fire()).isEqualTo(Duration.ofSeconds(1));
    }

    /** A dispatcher whose timer fires when the test says so. */
    private static final class OneTimer implements DispatcherContext {
        private @Nullable Runnable task;
        private Duration delay = Duration.ZERO;
        private int set;

        Duration fire() {
            Runnable due = task;
            task = null;
            due.run();
            return delay;
        }

        @Override
        public void later(Runnable wanted, Duration after) {
            task = wanted;
            delay = after;
            set++;
        }

        @Override
        public void requestTurn() {}

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void whenRead(CompletionStage<List<Entry>> read, Arrival arrival) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public SubSinkInlet<Position> openTailInlet() {
            throw new AssertionError("nothing joins the tail");
        }

        @Override
        public CompletionStage<?> runTailInto(SubSinkInlet<Position> inlet) {
            throw new AssertionError("nothing joins the tail");
        }

        @Override
        public <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome) {}

        @Override
        public void end() {}
    }
}
