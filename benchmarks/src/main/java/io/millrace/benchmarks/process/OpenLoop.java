package io.millrace.benchmarks.process;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.pulsar.client.api.Producer;

/**
 * Publishes at a fixed rate whatever the broker does, and takes each latency from the moment a message was meant to
 * leave: a broker that stalls pays for everything that queued behind the stall.
 */
final class OpenLoop {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(80);
    private static final long DRAIN_SECONDS = 60;

    private final Producer<byte[]> producer;
    private final int bytes;
    private final long intervalNanos;
    private long sequence;

    OpenLoop(Producer<byte[]> producer, int bytes, int messagesPerSecond) {
        this.producer = producer;
        this.bytes = bytes;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / messagesPerSecond;
    }

    /** Messages sent so far; message k starts with the long k. */
    long sent() {
        return sequence;
    }

    /** Sends this many and waits for every receipt; latencies in nanoseconds. A send without a receipt throws. */
    Histogram publish(int messages) throws Exception {
        Histogram nanos = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        CompletableFuture<?>[] receipts = new CompletableFuture<?>[messages];
        long begin = System.nanoTime() + intervalNanos;
        for (int i = 0; i < messages; i++) {
            long intended = begin + i * intervalNanos;
            awaitNanoTime(intended);
            byte[] message = ByteBuffer.allocate(bytes).putLong(sequence++).array();
            receipts[i] = producer.sendAsync(message).thenRun(() -> nanos.recordValue(System.nanoTime() - intended));
        }
        CompletableFuture.allOf(receipts).get(DRAIN_SECONDS, TimeUnit.SECONDS);
        if (nanos.getTotalCount() != messages) {
            throw new TimeoutException(nanos.getTotalCount() + " receipts for " + messages + " messages");
        }
        return nanos;
    }

    private static void awaitNanoTime(long time) {
        long left = time - System.nanoTime();
        while (left > 0) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            left = time - System.nanoTime();
        }
    }
}
