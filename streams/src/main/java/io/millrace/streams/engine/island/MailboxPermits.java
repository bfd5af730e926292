package io.millrace.streams.engine.island;

import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.MailboxLimit;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets so many messages wait in a channel; any thread enters, whoever takes a message out leaves. */
final class MailboxPermits {
    private final MailboxLimit limit;
    private final Semaphore room;

    MailboxPermits(MailboxLimit limit) {
        this.limit = limit;
        room = new Semaphore(limit.messages());
    }

    /** Whether the message may be added; throws when it is neither added nor dropped. */
    boolean enter() {
        if (room.tryAcquire()) {
            return true;
        }
        return switch (limit.overflow()) {
            case DROP_NEWEST -> false;
            case FAIL -> throw full("its sender does not wait");
            case BLOCK -> await();
        };
    }

    private boolean await() {
        if (Interpreter.isRunningHere()) {
            throw full("and a stage must not wait");
        }
        try {
            if (room.tryAcquire(Durations.nanos(limit.timeout()), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw full("and its sender was interrupted");
        }
        throw full("also after " + limit.timeout());
    }

    private BufferOverflowException full(String why) {
        return new BufferOverflowException(
                "the mailbox of a stage actor holds " + limit.messages() + " messages and is full, " + why);
    }

    void leave() {
        room.release();
    }
}
