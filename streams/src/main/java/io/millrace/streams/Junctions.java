package io.millrace.streams;

import io.millrace.streams.operator.BalanceStage;
import io.millrace.streams.operator.BroadcastStage;
import io.millrace.streams.operator.ConcatStage;
import io.millrace.streams.operator.MergeStage;
import io.millrace.streams.operator.PartitionStage;
import io.millrace.streams.operator.UnzipStage;
import io.millrace.streams.operator.ZipWithStage;
import java.util.List;
import java.util.function.IntFunction;

/** Parts with more than two ports, to be added to a {@link GraphBuilder}. */
public final class Junctions {
    private Junctions() {}

    /** Each element goes to all outputs, at the pace of the slowest. */
    public static <T> Graph<FanOutShape<T, T>, NotUsed> broadcast(int outputCount) {
        return new BroadcastStage<>(outputCount);
    }

    /** The elements of all inputs as they come. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> merge(int inputCount) {
        return new MergeStage<>(inputCount);
    }

    /** The elements of the first input, then those of the next, and so on. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> concat(int inputCount) {
        return new ConcatStage<>(inputCount);
    }

    /** Pairs of the elements of two inputs. */
    public static <A, B> Graph<FanInShape2<A, B, Pair<A, B>>, NotUsed> zip() {
        return ZipWithStage.pairs();
    }

    /** What the function makes of the elements of two inputs, one of each. */
    public static <A, B, O> Graph<FanInShape2<A, B, O>, NotUsed> zipWith(
            ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        return new ZipWithStage<>(function);
    }

    /** Each element in two parts, one for each output, at the pace of the slower. */
    public static <I, A, B> Graph<FanOutShape2<I, A, B>, NotUsed> unzip(
            ThrowingFunction<? super I, Pair<A, B>> function) {
        return new UnzipStage<>(function);
    }

    /** Each element goes to the output that has asked for the longest. */
    public static <T> Graph<FanOutShape<T, T>, NotUsed> balance(int outputCount) {
        return new BalanceStage<>(outputCount);
    }

    /** Each element goes to the output whose number, from 0, the function gives, and waits for it. */
    public static <T> Graph<FanOutShape<T, T>, NotUsed> partition(
            int outputCount, ThrowingFunction<? super T, Integer> chooser) {
        return new PartitionStage<>(outputCount, chooser);
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> also(Graph<? extends SinkShape<? super T>, ?> sink) {
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split = builder.add(Junctions.<T>broadcast(2));
            builder.connect(split.out(1), builder.add(sink).in());
            return FlowShape.of(split.in(), split.out(0));
        });
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> divert(
            Graph<? extends SinkShape<? super T>, ?> sink, ThrowingPredicate<? super T> condition) {
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split =
                    builder.add(Junctions.<T>partition(2, element -> condition.test(element) ? 1 : 0));
            builder.connect(split.out(1), builder.add(sink).in());
            return FlowShape.of(split.in(), split.out(0));
        });
    }

    static <T> Graph<SourceShape<T>, NotUsed> join(
            List<? extends Graph<? extends SourceShape<? extends T>, ?>> sources,
            IntFunction<Graph<FanInShape<T, T>, NotUsed>> junction) {
        return GraphBuilder.create(builder -> {
            FanInShape<T, T> join = builder.add(junction.apply(sources.size()));
            for (int i = 0; i < sources.size(); i++) {
                builder.connect(builder.add(sources.get(i)).out(), join.in(i));
            }
            return SourceShape.of(join.out());
        });
    }

    static <I, O> Graph<FlowShape<I, O>, NotUsed> share(int workerCount, Graph<FlowShape<I, O>, ?> worker) {
        return GraphBuilder.create(builder -> {
            FanOutShape<I, I> split = builder.add(Junctions.<I>balance(workerCount));
            FanInShape<O, O> join = builder.add(Junctions.<O>merge(workerCount));
            for (int i = 0; i < workerCount; i++) {
                builder.connect(builder.connect(split.out(i), worker), join.in(i));
            }
            return FlowShape.of(split.in(), join.out());
        });
    }
}
