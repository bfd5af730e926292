package io.millrace.streams.operator.interop;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.util.Objects;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A publisher that runs a source anew for each subscriber; safe to use from any thread. */
public final class SourcePublisher<T> implements Publisher<T> {
    private final Source<T, ?> source;
    private final StreamRuntime runtime;

    public SourcePublisher(Source<T, ?> source, StreamRuntime runtime) {
        this.source = source;
        this.runtime = Objects.requireNonNull(runtime, "runtime");
    }

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber (rule 1.9)");
        try {
            source.to(Sink.<T>fromSubscriber(subscriber)).run(runtime);
        } catch (RuntimeException notStarted) {
            OutboundPublisher.refuse(subscriber, notStarted);
        }
    }
}
