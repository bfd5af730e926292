package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import io.millrace.streams.operator.BufferStage;
import io.millrace.streams.operator.ConcatStage;
import io.millrace.streams.operator.DropStage;
import io.millrace.streams.operator.DropWhileStage;
import io.millrace.streams.operator.FilterStage;
import io.millrace.streams.operator.FoldStage;
import io.millrace.streams.operator.GroupedStage;
import io.millrace.streams.operator.IdentityStage;
import io.millrace.streams.operator.LimitStage;
import io.millrace.streams.operator.MapAsyncStage;
import io.millrace.streams.operator.MapAsyncUnorderedStage;
import io.millrace.streams.operator.MapConcatStage;
import io.millrace.streams.operator.MapErrorStage;
import io.millrace.streams.operator.MapStage;
import io.millrace.streams.operator.MergeStage;
import io.millrace.streams.operator.RecoverStage;
import io.millrace.streams.operator.ReduceStage;
import io.millrace.streams.operator.ScanStage;
import io.millrace.streams.operator.StatefulMapStage;
import io.millrace.streams.operator.SubscriberAndPublisher;
import io.millrace.streams.operator.TakeStage;
import io.millrace.streams.operator.TakeWhileStage;
import io.millrace.streams.operator.TimeoutStage;
import io.millrace.streams.operator.WatchTerminationStage;
import io.millrace.streams.operator.ZipWithIndexStage;
import io.millrace.streams.operator.ZipWithStage;
import io.millrace.streams.schedule.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A graph with one open inlet and one open outlet. Immutable; every method hands back a new one. */
public final class Flow<I, O, M> implements Graph<FlowShape<I, O>, M> {
    private final Blueprint blueprint;
    private @Nullable FlowShape<I, O> shape;

    private Flow(Blueprint blueprint) {
        this.blueprint = blueprint;
    }

    /** Lets every element through: where a flow begins. */
    public static <T> Flow<T, T, NotUsed> create() {
        return fromGraph(new IdentityStage<>());
    }

    /** A flow that replaces each element by what the function makes of it. */
    public static <I, O> Flow<I, O, NotUsed> of(ThrowingFunction<? super I, ? extends O> function) {
        return fromGraph(new MapStage<>(function));
    }

    /** A flow that ends in this sink and goes on with this source, without a connection between the two. */
    public static <I, O> Flow<I, O, NotUsed> fromSinkAndSource(
            Graph<SinkShape<I>, ?> sink, Graph<SourceShape<O>, ?> source) {
        return fromSinkAndSourceMat(sink, source, Keep.none());
    }

    /** As {@link #fromSinkAndSource}; the function makes the value from both. */
    public static <I, O, M1, M2, M> Flow<I, O, M> fromSinkAndSourceMat(
            Graph<SinkShape<I>, M1> sink,
            Graph<SourceShape<O>, M2> source,
            BiFunction<? super M1, ? super M2, ? extends M> combine) {
        return fromGraph(GraphBuilder.create(
                sink, source, combine, (builder, end, start) -> FlowShape.of(end.in(), start.out())));
    }

    /** Passes the elements through a Reactive Streams processor, made anew for each run. */
    public static <I, O> Flow<I, O, NotUsed> fromProcessor(Supplier<? extends Processor<I, O>> processors) {
        Objects.requireNonNull(processors, "processors");
        return fromSinkAndSourceMat(
                        Sink.<I>asPublisher(), Source.<O>asSubscriber(), Keep.<Publisher<I>, Subscriber<O>>both())
                .mapMaterializedValue(ends -> {
                    Processor<I, O> processor = processors.get();
                    processor.subscribe(ends.second());
                    ends.first().subscribe(processor);
                    return NotUsed.NOT_USED;
                });
    }

    /** Passes the elements through a processor of {@code java.util.concurrent.Flow}, made anew for each run. */
    public static <I, O> Flow<I, O, NotUsed> fromFlowProcessor(
            Supplier<? extends java.util.concurrent.Flow.Processor<I, O>> processors) {
        Objects.requireNonNull(processors, "processors");
        return fromProcessor(() -> FlowAdapters.toProcessor(processors.get()));
    }

    /** Any graph of this shape as a flow. */
    public static <I, O, M> Flow<I, O, M> fromGraph(Graph<FlowShape<I, O>, M> graph) {
        return graph instanceof Flow<I, O, M> flow ? flow : new Flow<>(Blueprints.of(graph));
    }

    @Override
    public synchronized FlowShape<I, O> shape() {
        FlowShape<I, O> made = shape;
        if (made == null) {
            made = FlowShape.of(Inlet.create("flow.in"), Outlet.create("flow.out"));
            shape = made;
        }
        return made;
    }

    Blueprint blueprint() {
        return blueprint;
    }

    /** Replaces each element by what the function makes of it. */
    public <P> Flow<I, P, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(new MapStage<O, P>(function));
    }

    /** Lets through the elements for which the condition holds. */
    public Flow<I, O, M> filter(ThrowingPredicate<? super O> condition) {
        return via(new FilterStage<O>(condition));
    }

    /** Replaces each element by any number of elements. */
    public <P> Flow<I, P, M> mapConcat(ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(new MapConcatStage<O, P>(function));
    }

    /** Lets the first elements through, then completes and cancels. */
    public Flow<I, O, M> take(long count) {
        return via(new TakeStage<O>(count));
    }

    /** Lets elements through until the condition fails for one, which is dropped, then completes and cancels. */
    public Flow<I, O, M> takeWhile(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, false));
    }

    /** Lets elements through up to and including the first for which the condition fails, then completes and cancels. */
    public Flow<I, O, M> takeThrough(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, true));
    }

    /** Drops the first elements. */
    public Flow<I, O, M> drop(long count) {
        return via(new DropStage<O>(count));
    }

    /** Drops elements until the condition fails for one. */
    public Flow<I, O, M> dropWhile(ThrowingPredicate<? super O> condition) {
        return via(new DropWhileStage<O>(condition));
    }

    /** Lets so many elements through; one more fails the stream with a {@link StreamLimitReachedException}. */
    public Flow<I, O, M> limit(long most) {
        return via(new LimitStage<O>(most));
    }

    /** Emits lists of so many elements each, at least 1, and what is left when upstream completes. */
    public Flow<I, List<O>, M> grouped(int size) {
        return via(new GroupedStage<O>(size));
    }

    /** Pairs each element with its index, from 0. */
    public Flow<I, Pair<O, Long>, M> zipWithIndex() {
        return via(new ZipWithIndexStage<O>());
    }

    /** Emits one result at the end: what the function makes of the elements, one by one; fails if there are none. */
    public Flow<I, O, M> reduce(ThrowingBiFunction<? super O, ? super O, ? extends O> function) {
        return via(new ReduceStage<O>(function));
    }

    /**
     * Replaces each element by what the function makes of it and of a state, which it replaces too. The state is made
     * for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> Flow<I, P, M> statefulMap(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, Pair<S, P>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(new StatefulMapStage<S, O, P>(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what the function makes of the last result and the element. */
    public <P> Flow<I, P, M> scan(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(new ScanStage<O, P>(zero, function));
    }

    /** Emits one result at the end: what the function makes, one by one, of the zero and the elements. */
    public <P> Flow<I, P, M> fold(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(new FoldStage<O, P>(zero, function));
    }

    /** Replaces each element by the result of a future, up to so many at a time, in the order of the elements. */
    public <P> Flow<I, P, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncStage<O, P>(parallelism, function));
    }

    /** Holds up to so many elements that downstream has not asked for yet. */
    public Flow<I, O, M> buffer(int capacity, OverflowStrategy strategy) {
        return via(new BufferStage<O>(capacity, strategy));
    }

    /** Replaces a failure of upstream by one last element. */
    public Flow<I, O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return via(new RecoverStage<O>(function));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when an element that was asked for does not come
     * within so long; while downstream asks for nothing, no time passes.
     */
    public Flow<I, O, M> timeout(Duration timeout) {
        return via(new TimeoutStage<O>(timeout));
    }

    /** Emits everything of this, then everything of the other source; keeps this value. */
    public Flow<I, O, M> concat(Graph<? extends SourceShape<? extends O>, ?> other) {
        return new Flow<>(Blueprints.joinFlow(blueprint, other, new ConcatStage<O>(2)));
    }

    /** Emits the elements of this and of the other source as they come; keeps this value. */
    public Flow<I, O, M> merge(Graph<? extends SourceShape<? extends O>, ?> other) {
        return new Flow<>(Blueprints.joinFlow(blueprint, other, new MergeStage<O>(2)));
    }

    /** Pairs the elements of this and of the other source; completes with the first that does; keeps this value. */
    public <P> Flow<I, Pair<O, P>, M> zip(Graph<? extends SourceShape<P>, ?> other) {
        return new Flow<>(Blueprints.joinFlow(blueprint, other, ZipWithStage.<O, P>pairs()));
    }

    /** Makes one element of one of this and one of the other source; completes with the first that does. */
    public <P, R> Flow<I, R, M> zipWith(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return new Flow<>(Blueprints.joinFlow(blueprint, other, new ZipWithStage<O, P, R>(function)));
    }

    /** Sends every element to this sink, too, at the pace of the slower. */
    public Flow<I, O, M> alsoTo(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Junctions.<O>also(sink));
    }

    /** Sends the elements for which the condition holds to this sink, and lets the others through. */
    public Flow<I, O, M> divertTo(
            Graph<? extends SinkShape<? super O>, ?> sink, ThrowingPredicate<? super O> condition) {
        return via(Junctions.<O>divert(sink, condition));
    }

    /** Shares the elements out among so many copies of a flow and merges what they emit, as it comes. */
    public <P> Flow<I, P, M> balance(int workerCount, Graph<FlowShape<O, P>, ?> worker) {
        return via(Junctions.share(workerCount, worker));
    }

    /** Replaces each element by the result of a future, up to so many at a time, in the order of their completion. */
    public <P> Flow<I, P, M> mapAsyncUnordered(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncUnorderedStage<O, P>(parallelism, function));
    }

    /** Replaces what upstream fails with by another failure. */
    public Flow<I, O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(new MapErrorStage<O>(function));
    }

    /** Gives back a future of how the stream ends here; the function makes the value from both. */
    public <M2> Flow<I, O, M2> watchTermination(
            BiFunction<? super M, ? super CompletionStage<Done>, ? extends M2> combine) {
        return viaMat(new WatchTerminationStage<O>(), combine);
    }

    /** Passes the elements through another flow; keeps this value. */
    public <P> Flow<I, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes the elements through another flow; the function makes the value from both. */
    public <P, M2, M3> Flow<I, P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Flow<>(Blueprints.chain(blueprint, flow, combine));
    }

    /** Sends the elements into a sink; keeps this value. */
    public Sink<I, M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> Sink<I, M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return Sink.ofBlueprint(Blueprints.chain(blueprint, sink, combine));
    }

    /** A graph that gives back this flow, running, as a Reactive Streams processor for one subscriber. */
    public RunnableGraph<Processor<I, O>> toProcessor() {
        return Source.<I>asSubscriber()
                .via(this)
                .toMat(
                        Sink.<O>asPublisher(),
                        (subscriber, publisher) -> new SubscriberAndPublisher<>(subscriber, publisher));
    }

    /** A graph that gives back this flow, running, as a processor of {@code java.util.concurrent.Flow}. */
    public RunnableGraph<java.util.concurrent.Flow.Processor<I, O>> toFlowProcessor() {
        return toProcessor().mapMaterializedValue(FlowAdapters::toFlowProcessor);
    }

    /** The same flow with another materialized value. */
    public <M2> Flow<I, O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Flow<>(Blueprints.mapValue(blueprint, function));
    }

    /** Everything so far runs as an island of its own. */
    public Flow<I, O, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** Everything so far runs as an island of its own on a worker of this scheduler. */
    public Flow<I, O, M> async(Scheduler scheduler) {
        return withAttributes(Attributes.dispatcher(scheduler));
    }

    /** The same flow under a name, which stands in the path of its operators. */
    public Flow<I, O, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same flow with these attributes added to everything so far. */
    public Flow<I, O, M> withAttributes(Attributes attributes) {
        return new Flow<>(Blueprints.withAttributes(blueprint, attributes));
    }
}
