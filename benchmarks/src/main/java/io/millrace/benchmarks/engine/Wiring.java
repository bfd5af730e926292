package io.millrace.benchmarks.engine;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import java.util.concurrent.CompletionStage;

/** Our graphs of so many stages, by shape. */
final class Wiring {
    private Wiring() {}

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
        Flow<Integer, Integer, NotUsed> flow = Flow.of(x -> x);
        return RunnableGraph.fromGraph(GraphBuilder.create(Sink.<Integer>ignore(), (builder, end) -> {
            Outlet<Integer> last = builder.add(Source.single(1)).out();
            for (int i = 0; i < n; i++) {
                last = builder.connect(last, flow);
            }
            builder.connect(last, end.in());
            return ClosedShape.of();
        }));
    }

    private static RunnableGraph<CompletionStage<Done>> gradual(int n) {
        return RunnableGraph.fromGraph(GraphBuilder.create(Sink.<Integer>ignore(), (builder, end) -> {
            var broadcast = builder.add(Junctions.<Integer>broadcast(n));
            builder.connect(builder.add(Source.single(1)).out(), broadcast.in());
            Outlet<Integer> last = broadcast.out(0);
            for (int i = 1; i < n; i++) {
                var merge = builder.add(Junctions.<Integer>merge(2));
                builder.connect(last, merge.in(0));
                builder.connect(broadcast.out(i), merge.in(1));
                last = merge.out();
            }
            builder.connect(last, end.in());
            return ClosedShape.of();
        }));
    }

    private static RunnableGraph<CompletionStage<Done>> immediate(int n) {
        return RunnableGraph.fromGraph(GraphBuilder.create(Sink.<Integer>ignore(), (builder, end) -> {
            var broadcast = builder.add(Junctions.<Integer>broadcast(n));
            var merge = builder.add(Junctions.<Integer>merge(n));
            builder.connect(builder.add(Source.single(1)).out(), broadcast.in());
            for (int i = 0; i < n; i++) {
                builder.connect(broadcast.out(i), merge.in(i));
            }
            builder.connect(merge.out(), end.in());
            return ClosedShape.of();
        }));
    }
}
