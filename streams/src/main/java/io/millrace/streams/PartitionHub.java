package io.millrace.streams;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.PartitionHubSettings;
import io.millrace.streams.hub.Partitioner;
import io.millrace.streams.hub.stage.PartitionHubSource;
import io.millrace.streams.hub.stage.PartitionHubStage;
import io.millrace.streams.hub.stage.PartitionHubState;
import java.util.function.Supplier;

/**
 * Gives each element of one stream to one of any number of consumers that come and go while it runs; a {@link Partitioner}
 * chooses which. What waits for a consumer that leaves is offered to the partitioner again, so nothing is lost; when the
 * stream has completed and elements are left without a consumer, the hub waits for the next one.
 *
 * <p>Run the sink once, then run {@link #source()} as often as you like, from any thread, in streams of their own.
 */
public final class PartitionHub<T> {
    private final PartitionHubState<T> state;

    PartitionHub(PartitionHubState<T> state) {
        this.state = state;
    }

    /** A sink whose every run is a hub of its own, with a partitioner of its own. */
    public static <T> Sink<T, PartitionHub<T>> sink(
            Supplier<? extends Partitioner<? super T>> partitioner, PartitionHubSettings settings) {
        return Sink.fromGraph(new PartitionHubStage<T>(partitioner, settings)).mapMaterializedValue(PartitionHub::new);
    }

    /** A sink whose every run is a hub of its own with the default settings. */
    public static <T> Sink<T, PartitionHub<T>> sink(Supplier<? extends Partitioner<? super T>> partitioner) {
        return sink(partitioner, PartitionHubSettings.defaults());
    }

    /** A source whose every run is a consumer. */
    public Source<T, NotUsed> source() {
        return Source.fromGraph(new PartitionHubSource<>(state));
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return state.consumerCount();
    }
}
