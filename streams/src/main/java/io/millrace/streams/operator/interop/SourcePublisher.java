package io.millrace.streams.operator.interop;

import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.failure.StreamException;
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
    private final Consumer<StreamException> reporter;

    /** @param reporter is told where a run could not be made; the subscriber is told what was thrown there */
    public SourcePublisher(Graph<SourceShape<T>, ?> source, Materializer runtime, Consumer<StreamException> reporter) {
        this.source = source;
        this.runtime = Objects.requireNonNull(runtime, "runtime");
        this.reporter = reporter;
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
        } catch (StreamException notMade) {
            reporter.accept(notMade);
            refusal.accept(notMade.getCause() == null ? notMade : notMade.getCause());
        } catch (RuntimeException notStarted) {
            refusal.accept(notStarted); // unless the sink was made, and has said so
        }
    }
}
