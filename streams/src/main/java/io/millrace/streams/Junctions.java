package io.millrace.streams;

import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FanOutShape2;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.junctions.BalanceStage;
import io.millrace.streams.operator.junctions.BroadcastStage;
import io.millrace.streams.operator.junctions.ConcatStage;
import io.millrace.streams.operator.junctions.FirstOfStage;
import io.millrace.streams.operator.junctions.MergeLatestStage;
import io.millrace.streams.operator.junctions.MergeStage;
import io.millrace.streams.operator.junctions.OrderedMergeStage;
import io.millrace.streams.operator.junctions.PartitionStage;
import io.millrace.streams.operator.junctions.UnzipStage;
import io.millrace.streams.operator.junctions.WireTapStage;
import io.millrace.streams.operator.junctions.ZipWithStage;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/** Parts with more than two ports, to be added to a {@link GraphBuilder}; of inputs or outputs each has at least one. */
public final class Junctions {
    private Junctions() {}

    /** Each element goes to all outputs, at the pace of the slowest. */
    public static <T> Graph<FanOutShape<T, T>, NotUsed> broadcast(int outputCount) {
        return new BroadcastStage<>(outputCount);
    }

    /** As {@link #broadcast(int)}; eagerly: the first output that cancels ends the others and the input. */
    public static <T> Graph<FanOutShape<T, T>, NotUsed> broadcast(int outputCount, boolean eagerCancel) {
        return new BroadcastStage<>(outputCount, eagerCancel);
    }

    /** The elements of all inputs as they come. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> merge(int inputCount) {
        return new MergeStage<>(inputCount);
    }

    /** The elements of the first input, then those of the next, and so on. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> concat(int inputCount) {
        return new ConcatStage<>(inputCount);
    }

    /** The elements of all inputs as they come; when several wait, those of the first input go before the others. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> mergePreferred(int inputCount) {
        return OrderedMergeStage.preferring(0, inputCount);
    }

    /** The elements of one input for each weight as they come; inputs that wait go as often as their weights say. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> mergePrioritized(int... weights) {
        return OrderedMergeStage.prioritized(weights);
    }

    /** One sorted stream of sorted inputs. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> mergeSorted(int inputCount, Comparator<? super T> comparator) {
        return OrderedMergeStage.sorted(inputCount, comparator);
    }

    /** The elements of all inputs by their numbers, from 0 and without gaps; each input must be in order. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> mergeSequence(
            int inputCount, ThrowingFunction<? super T, Long> number) {
        return OrderedMergeStage.sequence(inputCount, number);
    }

    /** The latest elements of all inputs, for each element that comes once every input has had one. */
    public static <T> Graph<FanInShape<T, List<T>>, NotUsed> mergeLatest(int inputCount) {
        return new MergeLatestStage<>(inputCount);
    }

    /** The elements of all inputs as they come; the first failure is reported when all have ended. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> mergeDelayError(int inputCount) {
        return OrderedMergeStage.delayingErrors(inputCount);
    }

    /** So many elements of each input in turn; eagerly: up to the turn of an input that has completed. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> interleave(
            int inputCount, int segmentSize, boolean eagerComplete) {
        return OrderedMergeStage.interleaved(inputCount, segmentSize, eagerComplete);
    }

    /** The elements of the input that is the first to have one; the others are cancelled. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> firstOf(int inputCount) {
        return new FirstOfStage<>(inputCount);
    }

    /** As {@link #concat}; the first failure is reported when all inputs have ended. */
    public static <T> Graph<FanInShape<T, T>, NotUsed> concatDelayError(int inputCount) {
        return new ConcatStage<>(inputCount, true);
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

    /** The two parts of each pair, one for each output, at the pace of the slower. */
    public static <A, B> Graph<FanOutShape2<Pair<A, B>, A, B>, NotUsed> unzip() {
        return new UnzipStage<Pair<A, B>, A, B>(pair -> pair);
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
        return alsoAll(List.of(sink));
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> alsoAll(List<? extends Graph<? extends SinkShape<? super T>, ?>> sinks) {
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split = builder.add(Junctions.<T>broadcast(sinks.size() + 1, true));
            for (int i = 0; i < sinks.size(); i++) {
                builder.connect(split.out(i + 1), builder.add(sinks.get(i)).in());
            }
            return FlowShape.of(split.in(), split.out(0));
        });
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> tap(Graph<? extends SinkShape<? super T>, ?> sink) {
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split = builder.add(new WireTapStage<T>());
            builder.connect(split.out(1), builder.add(sink).in());
            return FlowShape.of(split.in(), split.out(0));
        });
    }

    static <T> Graph<SinkShape<T>, NotUsed> combined(
            List<? extends Graph<? extends SinkShape<? super T>, ?>> sinks,
            IntFunction<? extends Graph<FanOutShape<T, T>, ?>> strategy) {
        requireCount("sinks", sinks.size());
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split = builder.add(strategy.apply(sinks.size()));
            for (int i = 0; i < sinks.size(); i++) {
                builder.connect(split.out(i), builder.add(sinks.get(i)).in());
            }
            return SinkShape.of(split.in());
        });
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> before(Graph<? extends SourceShape<? extends T>, ?> first) {
        return GraphBuilder.create(builder -> {
            FanInShape<T, T> join = builder.add(Junctions.<T>concat(2));
            builder.connect(builder.add(first).out(), join.in(0));
            return FlowShape.of(join.in(1), join.out());
        });
    }

    /** A source of some type as one of a wider type: it only emits. */
    @SuppressWarnings("unchecked")
    static <T> Graph<SourceShape<T>, Object> widened(Graph<? extends SourceShape<? extends T>, ?> source) {
        return (Graph<SourceShape<T>, Object>) source;
    }

    static <T> Graph<FlowShape<T, T>, NotUsed> divert(
            Graph<? extends SinkShape<? super T>, ?> sink, ThrowingPredicate<? super T> condition) {
        return GraphBuilder.create(builder -> {
            FanOutShape<T, T> split =
                    builder.add(new PartitionStage<T>(2, element -> condition.test(element) ? 1 : 0, true));
            builder.connect(split.out(1), builder.add(sink).in());
            return FlowShape.of(split.in(), split.out(0));
        });
    }

    static <T, O> Graph<SourceShape<O>, NotUsed> join(
            List<? extends Graph<? extends SourceShape<? extends T>, ?>> sources,
            IntFunction<Graph<FanInShape<T, O>, NotUsed>> junction) {
        return GraphBuilder.create(builder -> {
            FanInShape<T, O> join = builder.add(junction.apply(sources.size()));
            for (int i = 0; i < sources.size(); i++) {
                builder.connect(builder.add(sources.get(i)).out(), join.in(i));
            }
            return SourceShape.of(join.out());
        });
    }

    static <I, O> Graph<FlowShape<I, O>, NotUsed> share(int workerCount, Graph<FlowShape<I, O>, ?> worker) {
        return shared(workerCount, worker, Junctions::balance);
    }

    /** A graph as a flow of these elements, which it takes if it takes more than these. */
    @SuppressWarnings("unchecked")
    static <I, O> Flow<I, O, ?> flow(Graph<? extends FlowShape<? super I, O>, ?> graph) {
        return Flow.fromGraph((Graph<FlowShape<I, O>, ?>) graph);
    }

    /** As {@link #share}, for copies that ask at once as they are islands of their own: none is left out. */
    static <I, O> Graph<FlowShape<I, O>, NotUsed> rails(int railCount, Flow<I, O, ?> rail) {
        return shared(railCount, rail, count -> new BalanceStage<I>(count, true));
    }

    private static <I, O> Graph<FlowShape<I, O>, NotUsed> shared(
            int workerCount, Graph<FlowShape<I, O>, ?> worker, IntFunction<Graph<FanOutShape<I, I>, NotUsed>> balance) {
        requireCount("copies", workerCount);
        return GraphBuilder.create(builder -> {
            FanOutShape<I, I> split = builder.add(balance.apply(workerCount));
            FanInShape<O, O> join = builder.add(Junctions.<O>merge(workerCount));
            for (int i = 0; i < workerCount; i++) {
                builder.connect(builder.connect(split.out(i), worker), join.in(i));
            }
            return FlowShape.of(split.in(), join.out());
        });
    }

    /** One element to each copy in turn, and one from each in turn. */
    static <I, O> Graph<FlowShape<I, O>, NotUsed> deal(int railCount, Flow<I, O, ?> rail) {
        requireCount("copies", railCount);
        return GraphBuilder.create(builder -> {
            FlowShape<I, Pair<I, Long>> numbered = builder.add(Flow.<I>create().zipWithIndex());
            FanOutShape<Pair<I, Long>, Pair<I, Long>> split = builder.add(
                    Junctions.<Pair<I, Long>>partition(railCount, pair -> (int) (pair.second() % railCount)));
            FanInShape<O, O> join = builder.add(Junctions.<O>interleave(railCount, 1, false));
            builder.connect(numbered.out(), split.in());
            for (int i = 0; i < railCount; i++) {
                builder.connect(
                        builder.connect(
                                split.out(i),
                                Flow.<Pair<I, Long>, I>of(Pair::first).via(rail).async()),
                        join.in(i));
            }
            return FlowShape.of(numbered.in(), join.out());
        });
    }

    private static void requireCount(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("the number of " + what + " must be at least 1, not " + count);
        }
    }
}
