package io.millrace.streams.operator.timing;

import java.math.BigInteger;

/**
 * A bucket of tokens that fills at a steady rate; kept as the time at which it would be full again, which each token
 * taken moves on (the virtual scheduling form of the generic cell rate algorithm, ITU-T I.371). Rounding errors do not
 * add up.
 */
final class TokenBucket {
    private static final BigInteger LONGEST_NANOS = BigInteger.valueOf(Long.MAX_VALUE / 4);

    private final long tokens;
    private final long perNanos;
    private final long capacityNanos;
    private long fullAtNanos;
    /** What the time at which it is full lacks, in parts of a nanosecond, of which one has as many as tokens. */
    private long remainder;

    /** A full bucket that takes so many tokens in so long and holds at most the capacity. */
    TokenBucket(long tokens, long perNanos, long capacity, long nowNanos) {
        this.tokens = tokens;
        this.perNanos = perNanos;
        capacityNanos = BigInteger.valueOf(capacity)
                .multiply(BigInteger.valueOf(perNanos))
                .divide(BigInteger.valueOf(tokens))
                .min(LONGEST_NANOS)
                .longValue();
        fullAtNanos = nowNanos;
    }

    /** Takes so many tokens and hands back after how long they are there, in nanoseconds: 0 or less if they are. */
    long take(long count, long nowNanos) {
        if (nowNanos - fullAtNanos > 0) {
            fullAtNanos = nowNanos;
            remainder = 0;
        }
        long parts = Math.addExact(Math.multiplyExact(count, perNanos % tokens), remainder);
        remainder = parts % tokens;
        long nanos = Math.addExact(Math.multiplyExact(count, perNanos / tokens), parts / tokens);
        fullAtNanos += nanos;
        return fullAtNanos - nowNanos - capacityNanos;
    }
}
