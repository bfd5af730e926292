package io.millrace.broker.topic;

import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.MergeHub;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.WithoutConsumers;
import java.util.concurrent.CompletionStage;

/**
 * The publishing graph of a topic: producers merge into the append stage, which feeds the tail hub that dispatchers
 * join.
 */
final class TopicGraph {
    private static final int PUBLISHES_PER_PRODUCER = 64;
    private static final BroadcastHubSettings TAIL =
            BroadcastHubSettings.defaults().withBufferSize(64).withWithoutConsumers(WithoutConsumers.DROP);

    private TopicGraph() {}

    static Topic run(Materializer runtime, TopicName name, TopicLog log, TopicHome home, String generatedPrefix) {
        Pair<Pair<MergeHub<Publish>, CompletionStage<Done>>, BroadcastHub<Position>> ends = MergeHub.<Publish>source(
                        PUBLISHES_PER_PRODUCER)
                .viaMat(new AppendStage(log), Keep.both())
                .toMat(BroadcastHub.<Position>sink(TAIL).named("tail"), Keep.both())
                .named(name.full())
                .run(runtime);
        TopicParts.Running running = new TopicParts.Running(
                ends.first().first(), ends.second(), ends.first().second());
        TopicParts parts = new TopicParts(name, log, home, generatedPrefix, running);
        TopicStage.Running control = RunnableGraph.fromGraph(new TopicStage(parts))
                .named(name.full() + " control")
                .run(runtime);
        return new Topic(name, log, control);
    }
}
