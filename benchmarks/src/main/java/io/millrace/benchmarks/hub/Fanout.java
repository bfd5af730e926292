package io.millrace.benchmarks.hub;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One library's way to broadcast a stream to many consumers, each with an executor hop of its own. */
interface Fanout extends AutoCloseable {
    /** What the report calls it. */
    String name();

    /**
     * Sets up a broadcast of the elements that starts when the last consumer is attached.
     *
     * @return attaches the consumer that it is given
     */
    Attach open(Integer[] elements, int consumers, int buffer);

    /** Waits until so many consumers are attached. */
    void awaitAttached(int consumers) throws InterruptedException;

    @Override
    void close();

    /** Attaches one consumer. */
    interface Attach {
        void attach(Receiver receiver);
    }

    /** What one run came to. */
    record Outcome(double elementsPerSecond, double bytesPerDelivery) {}

    /** Broadcasts and times from before the last consumer is attached until everybody has everything. */
    static Outcome measure(Fanout library, Integer[] elements, int consumers, int buffer) throws Exception {
        CountDownLatch done = new CountDownLatch(consumers);
        List<Receiver> receivers = new ArrayList<>();
        Attach attach = library.open(elements, consumers, buffer);
        for (int i = 0; i < consumers; i++) {
            receivers.add(new Receiver(elements.length, done));
        }
        receivers.subList(1, consumers).forEach(attach::attach);
        library.awaitAttached(consumers - 1);
        long allocatedBefore = Allocation.bytes();
        long started = System.nanoTime();
        attach.attach(receivers.get(0));
        if (!done.await(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException(library.name() + " did not deliver everything within ten minutes");
        }
        long nanos = System.nanoTime() - started;
        double bytes = Allocation.bytes() - allocatedBefore;
        receivers.forEach(receiver -> receiver.check(library.name()));
        return new Outcome(elements.length * 1e9 / nanos, bytes / elements.length / consumers);
    }
}
