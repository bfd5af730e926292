package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.dispatch.Throttle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** The rate of what all subscriptions of a topic send together; they wait in the order in which they ask. Owned by its control stage. */
final class SharedRate {
    private final Throttle throttle;
    private final Timers timers;
    private final ArrayDeque<CompletableFuture<Void>> waiting = new ArrayDeque<>(0);
    private boolean isWaking;

    /** The control stage's time. */
    interface Timers {
        long nanoTime();

        void later(Runnable task, Duration time);
    }

    SharedRate(Rate rate, Timers timers) {
        this.timers = timers;
        throttle = new Throttle(rate, timers.nanoTime());
    }

    /** So much was sent by one of them; the reply completes when it may send more. */
    void sent(TopicCommand.LeaseAsked asked) {
        throttle.passed(asked.messages(), asked.bytes());
        waiting.add(asked.reply());
        grant();
    }

    /** The rate does not count any more. */
    void end() {
        waiting.forEach(reply -> reply.complete(null));
        waiting.clear();
    }

    /** What they send is known only afterwards, and is waited for then. */
    private void grant() {
        long waitNanos = throttle.waitNanos(timers.nanoTime());
        if (waitNanos == 0) {
            end();
        }
        if (!waiting.isEmpty() && !isWaking) {
            isWaking = true;
            timers.later(this::wake, Duration.ofNanos(waitNanos));
        }
    }

    private void wake() {
        isWaking = false;
        grant();
    }
}
