package io.millrace.streams;

import io.millrace.streams.operator.BroadcastStage;
import io.millrace.streams.operator.ConcatStage;
import io.millrace.streams.operator.MergeStage;
import io.millrace.streams.operator.ZipStage;

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
        return new ZipStage<>();
    }
}
