package io.millrace.streams.operator.timing;

import java.math.BigInteger;

/**
 * A bucket of tokens that fills at a steady rate; kept as the time at which it would be full again, which each token
 * taken moves on (the virtual scheduling form of the generic cell rate algorithm, ITU-T I.371). Rounding errors do not
 * add up.
 */
final class TokenBucket {
    /** So long a wait is as good as one for ever: 73 years. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private final long tokens;
    private final long perNanos;
    private final long capacityNanos;
    /** So many tokens at once are reckoned without overflow. */
    private final long mostInWords;

    private long fullAtNanos;
    /** What the time at which it is full lacks, in parts of a nanosecond, of which one has as many as tokens. */
    private long remainder;

    /** A full bucket that takes so many tokens in so long and holds at most the capacity. */
    TokenBucket(long tokens, long perNanos, long capacity, long nowNanos) {
        this.tokens = tokens;
        this.perNanos = perNanos;
        mostInWords = (Long.MAX_VALUE - tokens) / perNanos;
        capacityNanos = BigInteger.valueOf(capacity)
                .multiply(BigInteger.valueOf(perNanos))
                .divide(BigInteger.valueOf(tokens))
                .min(BigInteger.valueOf(LONGEST_NANOS))
                .longValue();
        fullAtNanos = nowNanos;
    }

    /** Takes so many tokens and hands back after how long they are there, in nanoseconds: 0 or less if they are. */
    long take(long count, long nowNanos) {
        if (nowNanos - fullAtNanos > 0) {
            fullAtNanos = nowNanos;
            remainder = 0;
        }
        fullAtNanos += Math.min(fillNanos(count), LONGEST_NANOS);
        return fullAtNanos - nowNanos - capacityNanos;
    }

    /** How long so many tokens take to come; keeps what is left over of that. */
    private long fillNanos(long count) {
        if (count <= mostInWords) {
            long parts = count * perNanos + remainder;
            remainder = parts % tokens;
            return parts / tokens;
        }
        BigInteger[] nanosAndRest = BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(perNanos))
                .add(BigInteger.valueOf(remainder))
                .divideAndRemainder(BigInteger.valueOf(tokens));
        remainder = nanosAndRest[1].longValue();
        return nanosAndRest[0].min(BigInteger.valueOf(LONGEST_NANOS)).longValue();
    }
}
