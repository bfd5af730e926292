package io.millrace.broker.dispatch;

import java.util.concurrent.CompletionStage;

/**
 * Where the subscriptions of a topic get their parts of the rate that they share: each sends a twentieth of what may pass in the time
 * of the rate, tells what that was, and waits until it may send as much again. Thread-safe.
 */
@FunctionalInterface
public interface Leases {
    /** How many parts of the rate there are. */
    int PARTS = 20;

    /** So much was sent since the last time; done when as much may be sent again. */
    CompletionStage<Void> sent(long messages, long bytes);
}
