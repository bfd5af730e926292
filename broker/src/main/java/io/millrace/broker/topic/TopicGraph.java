package io.millrace.broker.topic;

import io.millrace.broker.dispatch.LiveEntry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.MergeHub;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.WithoutConsumers;
import org.jspecify.annotations.Nullable;

/**
 * The publishing graph of a topic: producers merge into the append stage, which feeds the tail hub that dispatchers
 * join. A topic that stores nothing has the same graph without the append: its hub carries the entries themselves.
 */
final class TopicGraph {
    private static final int PUBLISHES_PER_PRODUCER = 64;
    private static final BroadcastHubSettings TAIL =
            BroadcastHubSettings.defaults().withBufferSize(64).withWithoutConsumers(WithoutConsumers.DROP);

    /** Smaller, as it holds the bytes of entries. */
    private static final BroadcastHubSettings LIVE = TAIL.withBufferSize(16);

    private TopicGraph() {}

    static Topic stored(Materializer runtime, TopicName name, TopicLog log, TopicHome home, String generatedPrefix) {
        Pair<Pair<MergeHub<Publish>, TopicParts.Appending>, BroadcastHub<Position>> ends = MergeHub.<Publish>source(
                        PUBLISHES_PER_PRODUCER)
                .viaMat(new AppendStage(log), Keep.both())
                .toMat(BroadcastHub.<Position>sink(TAIL).named("tail"), Keep.both())
                .named(name.full())
                .run(runtime);
        TopicKeeping keeping = new StoredKeeping(name, log, home, ends.second());
        return controlled(runtime, new TopicParts(name, keeping, home, generatedPrefix, running(ends.first())), log);
    }

    static Topic live(Materializer runtime, TopicName name, TopicHome home, String generatedPrefix) {
        Pair<Pair<MergeHub<Publish>, TopicParts.Appending>, BroadcastHub<LiveEntry>> ends = MergeHub.<Publish>source(
                        PUBLISHES_PER_PRODUCER)
                .viaMat(new LiveStage(), Keep.both())
                .toMat(BroadcastHub.<LiveEntry>sink(LIVE).named("tail"), Keep.both())
                .named(name.full())
                .run(runtime);
        TopicKeeping keeping = new LiveKeeping(ends.second(), home.clock());
        return controlled(runtime, new TopicParts(name, keeping, home, generatedPrefix, running(ends.first())), null);
    }

    private static TopicParts.Running running(Pair<MergeHub<Publish>, TopicParts.Appending> ends) {
        return new TopicParts.Running(ends.first(), ends.second());
    }

    private static Topic controlled(Materializer runtime, TopicParts parts, @Nullable TopicLog log) {
        TopicStage.Running control = RunnableGraph.fromGraph(new TopicStage(parts))
                .named(parts.name().full() + " control")
                .run(runtime);
        return new Topic(parts.name(), log, control);
    }
}
