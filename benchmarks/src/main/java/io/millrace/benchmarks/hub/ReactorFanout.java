package io.millrace.benchmarks.hub;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Reactor's publish, with a hop to the parallel scheduler per consumer. */
final class ReactorFanout implements Fanout {
    @Override
    public String name() {
        return "reactor";
    }

    @Override
    public Attach open(Integer[] elements, int consumers, int buffer) {
        ConnectableFlux<Integer> hub = Flux.fromArray(elements).publish(buffer);
        AtomicInteger attached = new AtomicInteger();
        return receiver -> {
            hub.publishOn(Schedulers.parallel(), buffer).subscribe(receiver::accept);
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
