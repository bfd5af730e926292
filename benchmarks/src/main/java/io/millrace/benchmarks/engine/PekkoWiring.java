package io.millrace.benchmarks.engine;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.ClosedShape;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Broadcast;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.GraphDSL;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Merge;
import org.apache.pekko.stream.javadsl.RunnableGraph;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** The same graphs in Pekko. */
final class PekkoWiring {
    private PekkoWiring() {}

    static RunnableGraph<CompletionStage<Done>> graph(String shape, int n) {
        return switch (shape) {
            case "linear" -> linear(n);
            case "imported-flow" -> imported(n);
            case "gradual" -> gradual(n);
            default -> immediate(n);
        };
    }

    private static RunnableGraph<CompletionStage<Done>> linear(int n) {
        Source<Integer, NotUsed> source = Source.single(1);
        for (int i = 0; i < n; i++) {
            source = source.map(x -> x);
        }
        return source.toMat(Sink.ignore(), Keep.right());
    }

    private static RunnableGraph<CompletionStage<Done>> imported(int n) {
        Flow<Integer, Integer, NotUsed> flow = Flow.of(Integer.class).map(x -> x);
        return RunnableGraph.fromGraph(GraphDSL.create(Sink.<Integer>ignore(), (builder, end) -> {
            Outlet<Integer> last = builder.add(Source.single(1)).out();
            for (int i = 0; i < n; i++) {
                var added = builder.add(flow);
                builder.from(last).toInlet(added.in());
                last = added.out();
            }
            builder.from(last).toInlet(end.in());
            return ClosedShape.getInstance();
        }));
    }

    private static RunnableGraph<CompletionStage<Done>> gradual(int n) {
        return RunnableGraph.fromGraph(GraphDSL.create(Sink.<Integer>ignore(), (builder, end) -> {
            var broadcast = builder.add(Broadcast.<Integer>create(n));
            builder.from(builder.add(Source.single(1)).out()).toInlet(broadcast.in());
            Outlet<Integer> last = broadcast.out(0);
            for (int i = 1; i < n; i++) {
                var merge = builder.add(Merge.<Integer>create(2));
                builder.from(last).toInlet(merge.in(0));
                builder.from(broadcast.out(i)).toInlet(merge.in(1));
                last = merge.out();
            }
            builder.from(last).toInlet(end.in());
            return ClosedShape.getInstance();
        }));
    }

    private static RunnableGraph<CompletionStage<Done>> immediate(int n) {
        return RunnableGraph.fromGraph(GraphDSL.create(Sink.<Integer>ignore(), (builder, end) -> {
            var broadcast = builder.add(Broadcast.<Integer>create(n));
            var merge = builder.add(Merge.<Integer>create(n));
            builder.from(builder.add(Source.single(1)).out()).toInlet(broadcast.in());
            for (int i = 0; i < n; i++) {
                builder.from(broadcast.out(i)).toInlet(merge.in(i));
            }
            builder.from(merge.out()).toInlet(end.in());
            return ClosedShape.getInstance();
        }));
    }
}
