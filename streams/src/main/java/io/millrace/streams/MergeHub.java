package io.millrace.streams;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.MergeHubSettings;
import io.millrace.streams.hub.stage.MergeHubSink;
import io.millrace.streams.hub.stage.MergeHubStage;
import io.millrace.streams.hub.stage.MergeHubState;

/**
 * Collects the elements of any number of producers, which come and go while it runs, into one stream; producers take
 * turns element by element, so a fast one cannot starve a slow one.
 *
 * <p>Run the source once, then run streams into {@link #sink()} as often as you like, from any thread.
 */
public final class MergeHub<T> {
    private final MergeHubState<T> state;

    MergeHub(MergeHubState<T> state) {
        this.state = state;
    }

    /** A source whose every run is a hub of its own. */
    public static <T> Source<T, MergeHub<T>> source(MergeHubSettings settings) {
        return Source.fromGraph(new MergeHubStage<T>(settings)).mapMaterializedValue(MergeHub::new);
    }

    /** A source whose every run is a hub with this buffer per producer and otherwise the default settings. */
    public static <T> Source<T, MergeHub<T>> source(int perProducerBuffer) {
        return source(MergeHubSettings.defaults().withPerProducerBuffer(perProducerBuffer));
    }

    /** A sink whose every run is a producer; it is cancelled when the hub has ended, drains or has no room for it. */
    public Sink<T, NotUsed> sink() {
        return Sink.fromGraph(new MergeHubSink<>(state));
    }

    /** Cancels producers that are run from now on, and completes the hub once those that were run before are done. */
    public void drain() {
        state.drain();
    }

    /** How many producers the hub has. */
    public int producerCount() {
        return state.producerCount();
    }
}
