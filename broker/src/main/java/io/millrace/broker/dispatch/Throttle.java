package io.millrace.broker.dispatch;

import java.time.Duration;

/**
 * Holds a stream to a rate, as a token bucket: what one period allows may pass at once; whatever passes while there is room
 * may be larger than the room, and is waited for afterwards. Owned by one stage, which says what time it is.
 */
public final class Throttle {
    private final double messagesPerNano;
    private final double bytesPerNano;
    private final Rate rate;
    private double messages;
    private double bytes;
    private long filledNanos;

    /** At first there is room for one period. */
    public Throttle(Rate rate, long nowNanos) {
        this.rate = rate;
        double periodNanos = Duration.ofSeconds(rate.seconds()).toNanos();
        messagesPerNano = rate.messages() / periodNanos;
        bytesPerNano = rate.bytes() / periodNanos;
        messages = rate.messages();
        bytes = rate.bytes();
        filledNanos = nowNanos;
    }

    /** So much has passed. */
    public void passed(long messageCount, long byteCount) {
        messages -= messageCount;
        bytes -= byteCount;
    }

    /** How long until something may pass, in nanoseconds; 0 for now. */
    public long waitNanos(long nowNanos) {
        fill(nowNanos);
        return Math.max(wait(rate.messages(), messages, messagesPerNano), wait(rate.bytes(), bytes, bytesPerNano));
    }

    /** Whether there is room for one period, as at first. */
    public boolean isAsNew(long nowNanos) {
        fill(nowNanos);
        return messages >= rate.messages() && bytes >= rate.bytes();
    }

    private void fill(long nowNanos) {
        long elapsedNanos = nowNanos - filledNanos;
        if (elapsedNanos > 0) {
            filledNanos = nowNanos;
            messages = Math.min((double) rate.messages(), messages + elapsedNanos * messagesPerNano);
            bytes = Math.min((double) rate.bytes(), bytes + elapsedNanos * bytesPerNano);
        }
    }

    /** Until there is room for a whole one: with less, a slow rate would let one pass more often than it says. */
    private static long wait(long most, double left, double perNano) {
        return most == 0 || left >= 1 ? 0 : (long) Math.ceil((1 - left) / perNano);
    }
}
