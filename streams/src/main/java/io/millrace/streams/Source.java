package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import io.millrace.streams.operator.BufferStage;
import io.millrace.streams.operator.ConcatStage;
import io.millrace.streams.operator.DropStage;
import io.millrace.streams.operator.DropWhileStage;
import io.millrace.streams.operator.FailedSource;
import io.millrace.streams.operator.FilterStage;
import io.millrace.streams.operator.FoldStage;
import io.millrace.streams.operator.FutureSource;
import io.millrace.streams.operator.GroupedStage;
import io.millrace.streams.operator.IterableSource;
import io.millrace.streams.operator.LimitStage;
import io.millrace.streams.operator.MapAsyncStage;
import io.millrace.streams.operator.MapAsyncUnorderedStage;
import io.millrace.streams.operator.MapConcatStage;
import io.millrace.streams.operator.MapErrorStage;
import io.millrace.streams.operator.MapStage;
import io.millrace.streams.operator.MaybeSource;
import io.millrace.streams.operator.MergeStage;
import io.millrace.streams.operator.NestedSource;
import io.millrace.streams.operator.NeverSource;
import io.millrace.streams.operator.PathSource;
import io.millrace.streams.operator.PublisherSource;
import io.millrace.streams.operator.RangeSource;
import io.millrace.streams.operator.RecoverStage;
import io.millrace.streams.operator.ReduceStage;
import io.millrace.streams.operator.RepeatSource;
import io.millrace.streams.operator.ScanStage;
import io.millrace.streams.operator.SourcePublisher;
import io.millrace.streams.operator.StatefulMapStage;
import io.millrace.streams.operator.SubscriberSource;
import io.millrace.streams.operator.TakeStage;
import io.millrace.streams.operator.TakeWhileStage;
import io.millrace.streams.operator.TickSource;
import io.millrace.streams.operator.TimeoutStage;
import io.millrace.streams.operator.UnfoldSource;
import io.millrace.streams.operator.WatchTerminationStage;
import io.millrace.streams.operator.ZipWithIndexStage;
import io.millrace.streams.operator.ZipWithStage;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A graph with one open outlet: where elements come from. Immutable; every method hands back a new one. */
public final class Source<O, M> implements Graph<SourceShape<O>, M> {
    private static final int DEFAULT_CHUNK_BYTES = 8192;

    private final Blueprint blueprint;
    private @Nullable SourceShape<O> shape;

    private Source(Blueprint blueprint) {
        this.blueprint = blueprint;
    }

    /** Completes at once. */
    public static <O> Source<O, NotUsed> empty() {
        return fromGraph(new IterableSource<>("empty", List.of()));
    }

    /** Emits one element, then completes. */
    public static <O> Source<O, NotUsed> single(O element) {
        return fromGraph(new IterableSource<>("single", List.of(element)));
    }

    /** Emits these elements, then completes. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <O> Source<O, NotUsed> of(O... elements) {
        return fromGraph(new IterableSource<>("of", List.of(elements)));
    }

    /** Emits what the iterable holds, iterating anew for each run, then completes. */
    public static <O> Source<O, NotUsed> from(Iterable<? extends O> elements) {
        return fromGraph(new IterableSource<O>("iterable", elements));
    }

    /** Emits what an iterator yields that is made anew for each run, then completes. */
    public static <O> Source<O, NotUsed> fromIterator(Supplier<? extends Iterator<? extends O>> iterators) {
        Objects.requireNonNull(iterators, "iterators");
        return fromGraph(new IterableSource<O>("iterator", () -> iterated(iterators.get())));
    }

    @SuppressWarnings("unchecked")
    private static <O> Iterator<O> iterated(Iterator<? extends O> iterator) {
        return (Iterator<O>) iterator;
    }

    /** Emits the numbers from the first to before the second, then completes. */
    public static Source<Integer, NotUsed> range(int from, int toExclusive) {
        return fromGraph(new RangeSource(from, toExclusive));
    }

    /** Emits the same element for ever. */
    public static <O> Source<O, NotUsed> repeat(O element) {
        return fromGraph(new RepeatSource<>(element));
    }

    /** Emits what the function makes of a state, which it replaces each time; completes when it makes nothing. */
    public static <S, O> Source<O, NotUsed> unfold(
            S initial, ThrowingFunction<? super S, Optional<Pair<S, O>>> function) {
        return fromGraph(new UnfoldSource<>(initial, function));
    }

    /**
     * Emits the element after the initial delay and then once per period; a tick that nobody has asked for is left out.
     * Disposing what it gives back completes it.
     */
    public static <O> Source<O, Disposable> tick(Duration initialDelay, Duration period, O element) {
        return fromGraph(new TickSource<>(initialDelay, period, element));
    }

    /** Emits nothing and never ends by itself. */
    public static <O> Source<O, NotUsed> never() {
        return fromGraph(new NeverSource<>());
    }

    /** Gives back a future; once that is completed, emits the value if there is one, and completes. */
    public static <O> Source<O, CompletableFuture<Optional<O>>> maybe() {
        return fromGraph(new MaybeSource<>());
    }

    /** Fails at once. */
    public static <O> Source<O, NotUsed> failed(Throwable failure) {
        return fromGraph(new FailedSource<>(failure));
    }

    /** Emits what any thread offers to the queue it gives back; the queue holds up to so many elements. */
    public static <O> Source<O, SourceQueue<O>> queue(int capacity) {
        return fromGraph(new SourceQueueStage<>(capacity));
    }

    /** Subscribes to a Reactive Streams publisher when run, and emits what that sends. */
    public static <O> Source<O, NotUsed> fromPublisher(Publisher<? extends O> publisher) {
        return fromGraph(new PublisherSource<>(publisher));
    }

    /** Subscribes to a publisher of {@code java.util.concurrent.Flow} when run, and emits what that sends. */
    public static <O> Source<O, NotUsed> fromFlowPublisher(java.util.concurrent.Flow.Publisher<? extends O> publisher) {
        return fromPublisher(FlowAdapters.toPublisher(publisher));
    }

    /** Gives back a Reactive Streams subscriber, and emits what that is sent. */
    public static <O> Source<O, Subscriber<O>> asSubscriber() {
        return fromGraph(new SubscriberSource<>());
    }

    /** Gives back a subscriber of {@code java.util.concurrent.Flow}, and emits what that is sent. */
    public static <O> Source<O, java.util.concurrent.Flow.Subscriber<O>> asFlowSubscriber() {
        return Source.<O>asSubscriber().mapMaterializedValue(FlowAdapters::toFlowSubscriber);
    }

    /** Emits the value of a future once that is completed, then completes; fails as the future does. */
    public static <O> Source<O, NotUsed> fromCompletionStage(CompletionStage<? extends O> future) {
        return fromGraph(new FutureSource<>(future));
    }

    /**
     * Makes another source when first asked for an element, and emits what that emits. The future is the other's value;
     * it fails with {@link NeverMaterializedException} when the other is never made.
     */
    public static <O, M> Source<O, CompletionStage<M>> lazy(
            ThrowingSupplier<? extends Graph<SourceShape<O>, M>> factory) {
        Objects.requireNonNull(factory, "factory");
        return fromGraph(new NestedSource<>("lazy", true, (runtime, attributes) -> factory.make()));
    }

    /**
     * Makes another source from the runtime and the attributes of this one when run, and emits what that emits. The
     * future is the other's value; it fails with {@link NeverMaterializedException} when the other is never made.
     */
    public static <O, M> Source<O, CompletionStage<M>> fromRuntime(
            ThrowingBiFunction<StreamRuntime, Attributes, ? extends Graph<SourceShape<O>, M>> factory) {
        return fromGraph(new NestedSource<>("fromRuntime", false, factory));
    }

    /** Reads a file in chunks of up to 8 KiB, each in a buffer of its own; runs on the blocking workers. */
    public static Source<ByteBuffer, NotUsed> fromPath(Path path) {
        return fromPath(path, DEFAULT_CHUNK_BYTES);
    }

    /** Reads a file in chunks of up to so many bytes, each in a buffer of its own; runs on the blocking workers. */
    public static Source<ByteBuffer, NotUsed> fromPath(Path path, int chunkBytes) {
        return fromGraph(new PathSource(path, chunkBytes)).withAttributes(Attributes.blocking());
    }

    /** Emits the elements of all these sources as they come; completes when all have. */
    public static <O> Source<O, NotUsed> mergeAll(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources) {
        return fromGraph(Junctions.<O>join(sources, Junctions::merge));
    }

    /** Emits the elements of these sources, one source after the other. */
    public static <O> Source<O, NotUsed> concatAll(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources) {
        return fromGraph(Junctions.<O>join(sources, Junctions::concat));
    }

    /** Any graph of this shape as a source. */
    public static <O, M> Source<O, M> fromGraph(Graph<SourceShape<O>, M> graph) {
        return graph instanceof Source<O, M> source ? source : new Source<>(Blueprints.of(graph));
    }

    @Override
    public synchronized SourceShape<O> shape() {
        SourceShape<O> made = shape;
        if (made == null) {
            made = SourceShape.of(Outlet.create("source.out"));
            shape = made;
        }
        return made;
    }

    Blueprint blueprint() {
        return blueprint;
    }

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

    /** Replaces each element by the result of a future, up to so many at a time, in the order of the elements. */
    public <P> Source<P, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncStage<O, P>(parallelism, function));
    }

    /** Holds up to so many elements that downstream has not asked for yet. */
    public Source<O, M> buffer(int capacity, OverflowStrategy strategy) {
        return via(new BufferStage<O>(capacity, strategy));
    }

    /** Replaces a failure of upstream by one last element. */
    public Source<O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return via(new RecoverStage<O>(function));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when an element that was asked for does not come
     * within so long; while downstream asks for nothing, no time passes.
     */
    public Source<O, M> timeout(Duration timeout) {
        return via(new TimeoutStage<O>(timeout));
    }

    /** Emits everything of this, then everything of the other source; keeps this value. */
    public Source<O, M> concat(Graph<? extends SourceShape<? extends O>, ?> other) {
        return new Source<>(Blueprints.join(blueprint, other, new ConcatStage<O>(2)));
    }

    /** Emits the elements of this and of the other source as they come; keeps this value. */
    public Source<O, M> merge(Graph<? extends SourceShape<? extends O>, ?> other) {
        return new Source<>(Blueprints.join(blueprint, other, new MergeStage<O>(2)));
    }

    /** Pairs the elements of this and of the other source; completes with the first that does; keeps this value. */
    public <P> Source<Pair<O, P>, M> zip(Graph<? extends SourceShape<P>, ?> other) {
        return new Source<>(Blueprints.join(blueprint, other, ZipWithStage.<O, P>pairs()));
    }

    /** Makes one element of one of this and one of the other source; completes with the first that does. */
    public <P, R> Source<R, M> zipWith(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return new Source<>(Blueprints.join(blueprint, other, new ZipWithStage<O, P, R>(function)));
    }

    /** Sends every element to this sink, too, at the pace of the slower. */
    public Source<O, M> alsoTo(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Junctions.<O>also(sink));
    }

    /** Sends the elements for which the condition holds to this sink, and lets the others through. */
    public Source<O, M> divertTo(
            Graph<? extends SinkShape<? super O>, ?> sink, ThrowingPredicate<? super O> condition) {
        return via(Junctions.<O>divert(sink, condition));
    }

    /** Shares the elements out among so many copies of a flow and merges what they emit, as it comes. */
    public <P> Source<P, M> balance(int workerCount, Graph<FlowShape<O, P>, ?> worker) {
        return via(Junctions.share(workerCount, worker));
    }

    /** Replaces each element by the result of a future, up to so many at a time, in the order of their completion. */
    public <P> Source<P, M> mapAsyncUnordered(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncUnorderedStage<O, P>(parallelism, function));
    }

    /** Replaces what upstream fails with by another failure. */
    public Source<O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(new MapErrorStage<O>(function));
    }

    /** Gives back a future of how the stream ends here; the function makes the value from both. */
    public <M2> Source<O, M2> watchTermination(
            BiFunction<? super M, ? super CompletionStage<Done>, ? extends M2> combine) {
        return viaMat(new WatchTerminationStage<O>(), combine);
    }

    /** Passes the elements through a flow; keeps this value. */
    public <P> Source<P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes the elements through a flow; the function makes the value from both. */
    public <P, M2, M3> Source<P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Source<>(Blueprints.chain(blueprint, flow, combine));
    }

    /** Sends the elements into a sink; keeps this value. */
    public RunnableGraph<M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> RunnableGraph<M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new RunnableGraph<>(Blueprints.chain(blueprint, sink, combine));
    }

    /** Runs into the sink and hands back the sink's value. */
    public <M2> M2 runWith(Graph<? extends SinkShape<? super O>, M2> sink, StreamRuntime runtime) {
        return this.<M2, M2>toMat(sink, Keep.right()).run(runtime);
    }

    /** Runs this at once; gives back its value and a source, good for one run, of its elements. */
    public Pair<M, Source<O, NotUsed>> preMaterialize(StreamRuntime runtime) {
        Pair<M, Publisher<O>> running =
                toMat(Sink.<O>asPublisher(), Keep.<M, Publisher<O>>both()).run(runtime);
        return new Pair<>(running.first(), fromPublisher(running.second()));
    }

    /** A Reactive Streams publisher that runs this source anew for each subscriber. */
    public Publisher<O> toPublisher(StreamRuntime runtime) {
        return new SourcePublisher<>(this, runtime);
    }

    /** A publisher of {@code java.util.concurrent.Flow} that runs this source anew for each subscriber. */
    public java.util.concurrent.Flow.Publisher<O> toFlowPublisher(StreamRuntime runtime) {
        return FlowAdapters.toFlowPublisher(toPublisher(runtime));
    }

    /** The same source with another materialized value. */
    public <M2> Source<O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Source<>(Blueprints.mapValue(blueprint, function));
    }

    /** Everything so far runs as an island of its own. */
    public Source<O, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** Everything so far runs as an island of its own on a worker of this scheduler. */
    public Source<O, M> async(Scheduler scheduler) {
        return withAttributes(Attributes.dispatcher(scheduler));
    }

    /**
     * The island in which this source lies runs on a worker of this scheduler, and so do islands that begin above,
     * unless something nearer to them says otherwise; it draws no boundary.
     */
    public Source<O, M> subscribeOn(Scheduler scheduler) {
        return withAttributes(Attributes.subscribeOn(scheduler));
    }

    /** Everything so far runs as an island of its own, and what follows, up to the next boundary, on this scheduler. */
    public Source<O, M> observeOn(Scheduler scheduler) {
        return async().withAttributes(Attributes.observeOn(scheduler));
    }

    /** The same source under a name, which stands in the path of its operators. */
    public Source<O, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same source with these attributes added to everything so far. */
    public Source<O, M> withAttributes(Attributes attributes) {
        return new Source<>(Blueprints.withAttributes(blueprint, attributes));
    }
}
