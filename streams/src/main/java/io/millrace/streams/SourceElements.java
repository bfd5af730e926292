package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import io.millrace.streams.operator.DropStage;
import io.millrace.streams.operator.DropWhileStage;
import io.millrace.streams.operator.FilterStage;
import io.millrace.streams.operator.FoldStage;
import io.millrace.streams.operator.GroupedStage;
import io.millrace.streams.operator.LimitStage;
import io.millrace.streams.operator.MapConcatStage;
import io.millrace.streams.operator.MapStage;
import io.millrace.streams.operator.ReduceStage;
import io.millrace.streams.operator.ScanStage;
import io.millrace.streams.operator.StatefulMapStage;
import io.millrace.streams.operator.TakeStage;
import io.millrace.streams.operator.TakeWhileStage;
import io.millrace.streams.operator.ZipWithIndexStage;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The operators of a {@link Source} for what is done to each element. */
abstract class SourceElements<O, M> {
    /** Replaces each element by what the function makes of it. */
    public <P> Source<P, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(new MapStage<O, P>(function));
    }

    /** Lets through the elements for which the condition holds. */
    public Source<O, M> filter(ThrowingPredicate<? super O> condition) {
        return via(new FilterStage<O>(condition));
    }

    /** Replaces each element by any number of elements. */
    public <P> Source<P, M> mapConcat(ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(new MapConcatStage<O, P>(function));
    }

    /** Lets the first elements through, then completes and cancels. */
    public Source<O, M> take(long count) {
        return via(new TakeStage<O>(count));
    }

    /** Lets elements through until the condition fails for one, which is dropped, then completes and cancels. */
    public Source<O, M> takeWhile(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, false));
    }

    /** Lets elements through up to and including the first for which the condition fails, then completes and cancels. */
    public Source<O, M> takeThrough(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, true));
    }

    /** Drops the first elements. */
    public Source<O, M> drop(long count) {
        return via(new DropStage<O>(count));
    }

    /** Drops elements until the condition fails for one. */
    public Source<O, M> dropWhile(ThrowingPredicate<? super O> condition) {
        return via(new DropWhileStage<O>(condition));
    }

    /** Lets so many elements through; one more fails the stream with a {@link StreamLimitReachedException}. */
    public Source<O, M> limit(long most) {
        return via(new LimitStage<O>(most));
    }

    /** Emits lists of so many elements each, at least 1, and what is left when upstream completes. */
    public Source<List<O>, M> grouped(int size) {
        return via(new GroupedStage<O>(size));
    }

    /** Pairs each element with its index, from 0. */
    public Source<Pair<O, Long>, M> zipWithIndex() {
        return via(new ZipWithIndexStage<O>());
    }

    /** Emits one result at the end: what the function makes of the elements, one by one; fails if there are none. */
    public Source<O, M> reduce(ThrowingBiFunction<? super O, ? super O, ? extends O> function) {
        return via(new ReduceStage<O>(function));
    }

    /**
     * Replaces each element by what the function makes of it and of a state, which it replaces too. The state is made
     * for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> Source<P, M> statefulMap(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, Pair<S, P>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(new StatefulMapStage<S, O, P>(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what the function makes of the last result and the element. */
    public <P> Source<P, M> scan(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(new ScanStage<O, P>(zero, function));
    }

    /** Emits one result at the end: what the function makes, one by one, of the zero and the elements. */
    public <P> Source<P, M> fold(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(new FoldStage<O, P>(zero, function));
    }

    /** Passes the elements through a flow; keeps this value. */
    public abstract <P> Source<P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);

    abstract Blueprint blueprint();
}
