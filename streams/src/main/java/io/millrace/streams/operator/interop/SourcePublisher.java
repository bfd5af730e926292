package io.millrace.streams.operator.interop;

import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.SourceShape;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A publisher that runs a source anew for each subscriber; safe to use from any thread. */
public final class SourcePublisher<T> implements Publisher<T> {
    private final Graph<SourceShape<T>, ?> source;
    private final Materializer runtime;

    public SourcePublisher(Graph<SourceShape<T>, ?> source, Materializer runtime) {
        this.source = source;
        this.runtime = Objects.requireNonNull(runtime, "runtime");
    }

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber (rule 1.9)");
        AtomicBoolean isRefused = new AtomicBoolean();
        Consumer<Throwable> refusal = why -> {
            if (isRefused.compareAndSet(false, true)) {
                OutboundPublisher.refuse(subscriber, why);
            }
        };
        try {
            ClosedGraph.ofSource(source, new SubscriberSink<T>(subscriber, refusal))
                    .run(runtime);
        } catch (RuntimeException notStarted) {
            refusal.accept(notStarted); // unless the sink was made, and has said so
        }
    }
}
