package io.millrace.streams;

import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.hub.stage.BroadcastHubSource;
import io.millrace.streams.hub.stage.BroadcastHubStage;
import io.millrace.streams.hub.stage.BroadcastHubState;
import java.util.concurrent.CompletionStage;

/**
 * Sends the elements of one stream to any number of consumers that come and go while it runs; all see the same elements
 * in the same order, and the slowest sets the pace unless it was told to give way ({@link LagPolicy}).
 *
 * <p>Run the sink once, then run {@link #source()} as often as you like, from any thread, in streams of their own.
 */
public final class BroadcastHub<T> {
    private final BroadcastHubState<T> state;

    BroadcastHub(BroadcastHubState<T> state) {
        this.state = state;
    }

    /** A sink whose every run is a hub of its own. */
    public static <T> Sink<T, BroadcastHub<T>> sink(BroadcastHubSettings settings) {
        return Sink.fromGraph(new BroadcastHubStage<T>(settings, 0)).mapMaterializedValue(BroadcastHub::new);
    }

    /** A sink whose every run is a hub with this buffer and otherwise the default settings. */
    public static <T> Sink<T, BroadcastHub<T>> sink(int bufferSize) {
        return sink(BroadcastHubSettings.defaults().withBufferSize(bufferSize));
    }

    /** A source whose every run is a consumer with the default settings. */
    public Source<T, NotUsed> source() {
        return source(BroadcastConsumerSettings.defaults());
    }

    /** A source whose every run is a consumer. */
    public Source<T, NotUsed> source(BroadcastConsumerSettings settings) {
        return sourceWithRegistration(settings).mapMaterializedValue(registered -> NotUsed.NOT_USED);
    }

    /**
     * A source whose every run is a consumer and gives a future that completes once the hub has the consumer: from then
     * on every element that reaches the hub is delivered. It fails when the consumer ends before.
     */
    public Source<T, CompletionStage<Done>> sourceWithRegistration(BroadcastConsumerSettings settings) {
        return Source.fromGraph(new BroadcastHubSource<>(state, settings));
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return state.consumerCount();
    }
}
