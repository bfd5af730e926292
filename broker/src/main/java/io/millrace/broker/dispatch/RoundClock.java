package io.millrace.broker.dispatch;

import java.time.InstantSource;

/**
 * The time of day, read once for all that happens in one round of a dispatcher: between two turns, or in one. Owned by the
 * island.
 */
final class RoundClock {
    private final InstantSource clock;
    private long millis;

    RoundClock(InstantSource clock) {
        this.clock = clock;
    }

    /** In milliseconds since the epoch, as it was when the round first asked. */
    long millis() {
        if (millis == 0) {
            millis = clock.millis();
        }
        return millis;
    }

    /** Another round begins: at the beginning of a turn, so that what is sent in it is not dated before it, and at its end. */
    void next() {
        millis = 0;
    }
}
