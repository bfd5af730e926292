package io.millrace.streams;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;

/**
 * A substream: its source, which can be run once, and what it is the substream of.
 *
 * @param key the key of its elements, or its number, from 0, where there are no keys
 * @param source its elements
 */
public record KeyedSource<K, O>(K key, Source<O, NotUsed> source) {
    public KeyedSource {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(source, "source");
    }

    static <K, O> KeyedSource<K, O> of(K key, Graph<SourceShape<O>, NotUsed> source) {
        return new KeyedSource<>(key, Source.fromGraph(source));
    }

    /** The same substream, passed through a flow. */
    public <P> KeyedSource<K, P> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return new KeyedSource<>(key, source.via(flow));
    }

    /**
     * Says that nobody will run the source: the elements of the substream are dropped, as those of one that was cancelled. Nothing
     * happens if it was run.
     */
    public void cancel() {
        Blueprints.decline(source);
    }

    /** The same substream, passed through the flow that the function makes for its key; cancelled if that throws. */
    <P> KeyedSource<K, P> viaKeyed(
            ThrowingFunction<? super K, ? extends Graph<? extends FlowShape<? super O, P>, ?>> function)
            throws Exception {
        try {
            return via(function.apply(key));
        } catch (Throwable failure) {
            cancel();
            throw failure;
        }
    }
}
