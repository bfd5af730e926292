package io.millrace.benchmarks.hub;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.flowables.ConnectableFlowable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.concurrent.atomic.AtomicInteger;

/** RxJava's publish, with a hop to the computation scheduler per consumer. */
final class RxFanout implements Fanout {
    @Override
    public String name() {
        return "rxjava";
    }

    @Override
    @SuppressWarnings("CheckReturnValue") // the subscription ends with the elements
    public Attach open(Integer[] elements, int consumers, int buffer) {
        ConnectableFlowable<Integer> hub = Flowable.fromArray(elements).publish(buffer);
        AtomicInteger attached = new AtomicInteger();
        return receiver -> {
            hub.observeOn(Schedulers.computation(), false, buffer).subscribe(receiver::accept);
            if (attached.incrementAndGet() == consumers) {
                hub.connect();
            }
        };
    }

    @Override
    public void awaitAttached(int consumers) {
        // Subscribing attaches at once.
    }

    @Override
    public void close() {
        // The scheduler is the library's own.
    }
}
