package io.millrace.streams;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.stage.CacheSource;
import io.millrace.streams.operator.bytes.ChunkReading;
import io.millrace.streams.operator.bytes.OpenStream;
import io.millrace.streams.operator.bytes.PathSource;
import io.millrace.streams.operator.failures.RecoverWithStage;
import io.millrace.streams.operator.failures.RestartingSource;
import io.millrace.streams.operator.failures.Succession;
import io.millrace.streams.operator.failures.UsingWhenSource;
import io.millrace.streams.operator.futures.FutureSource;
import io.millrace.streams.operator.futures.MaybeSource;
import io.millrace.streams.operator.futures.UnfoldAsyncSource;
import io.millrace.streams.operator.interop.PublisherSource;
import io.millrace.streams.operator.interop.SourcePublisher;
import io.millrace.streams.operator.interop.SubscriberSource;
import io.millrace.streams.operator.junctions.ZipWithNStage;
import io.millrace.streams.operator.sources.CycleSource;
import io.millrace.streams.operator.sources.FailedSource;
import io.millrace.streams.operator.sources.IterableSource;
import io.millrace.streams.operator.sources.NeverSource;
import io.millrace.streams.operator.sources.RangeSource;
import io.millrace.streams.operator.sources.RepeatSource;
import io.millrace.streams.operator.sources.TickSource;
import io.millrace.streams.operator.sources.UnfoldResourceSource;
import io.millrace.streams.operator.sources.UnfoldSource;
import io.millrace.streams.operator.substreams.NestedSource;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.SchedulerExecutor;
import java.io.InputStream;
import java.io.OutputStream;
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
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A graph with one open outlet: where elements come from. Immutable; every method hands back a new one. */
public final class Source<O, M> extends SourceControl<O, M> {
    private static final int DEFAULT_CHUNK_BYTES = 8192;

    private @Nullable SourceShape<O> shape;

    private Source(Blueprint blueprint) {
        super(blueprint);
    }

    static <O, M> Source<O, M> ofBlueprint(Blueprint blueprint) {
        return new Source<>(blueprint);
    }

    /** Completes at once. */
    public static <O> Source<O, NotUsed> empty() {
        return fromGraph(IterableSource.<O>empty());
    }

    /** Emits one element, then completes. */
    public static <O> Source<O, NotUsed> single(O element) {
        return fromGraph(new IterableSource<>("single", present("single", element)));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static <O> List<O> present(String operator, O... elements) {
        for (O element : elements) {
            NotNull.checked(element, operator, "an element is null");
        }
        return List.of(elements);
    }

    /** Emits these elements, then completes. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <O> Source<O, NotUsed> of(O... elements) {
        return fromGraph(new IterableSource<>("of", present("of", elements)));
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

    /** Emits what iterators yield, one after the other, for ever; fails if one has no elements. */
    public static <O> Source<O, NotUsed> cycle(Supplier<? extends Iterator<? extends O>> iterators) {
        return fromGraph(new CycleSource<O>(iterators));
    }

    /** Emits the value if there is one, then completes. */
    public static <O> Source<O, NotUsed> fromOptional(Optional<? extends O> element) {
        return fromGraph(new IterableSource<O>("optional", element.map(List::of).orElse(List.of())));
    }

    /** Emits what a stream of {@code java.util.stream} holds that is made for each run and closed once at its end. */
    public static <O> Source<O, NotUsed> fromStream(ThrowingSupplier<? extends BaseStream<? extends O, ?>> streams) {
        Objects.requireNonNull(streams, "streams");
        return fromGraph(new UnfoldResourceSource<OpenStream<O>, O>(
                "stream",
                () -> OpenStream.of(Step.required(streams.make(), "stream")),
                OpenStream::read,
                OpenStream::close));
    }

    /** Emits the numbers from the first to before the second, then completes. */
    public static Source<Integer, NotUsed> range(int from, int toExclusive) {
        return fromGraph(new RangeSource(from, toExclusive));
    }

    /** Emits the same element for ever. */
    public static <O> Source<O, NotUsed> repeat(O element) {
        return fromGraph(new RepeatSource<>(element));
    }

    /** Emits what the function makes of a state, which it replaces each time and which may be null; completes when it makes nothing. */
    public static <S extends @Nullable Object, O> Source<O, NotUsed> unfold(
            S initial, ThrowingFunction<? super S, Optional<Pair<S, O>>> function) {
        return fromGraph(new UnfoldSource<>(initial, function));
    }

    /** As {@link #unfold}, by futures of what is made; one at a time. */
    public static <S extends @Nullable Object, O> Source<O, NotUsed> unfoldAsync(
            S initial, ThrowingFunction<? super S, ? extends CompletionStage<Optional<Pair<S, O>>>> function) {
        return fromGraph(new UnfoldAsyncSource<>(initial, function));
    }

    /**
     * Emits what is read from a resource until there is no more. The resource is opened for each run and closed once,
     * however that ends; all three run on the blocking workers.
     */
    public static <R, O> Source<O, NotUsed> unfoldResource(
            ThrowingSupplier<? extends R> open,
            ThrowingFunction<? super R, Optional<O>> read,
            ThrowingConsumer<? super R> close) {
        return fromGraph(new UnfoldResourceSource<R, O>("unfoldResource", open, read, close))
                .withAttributes(Attributes.blocking());
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
        return queue(capacity, OverflowStrategy.BACKPRESSURE);
    }

    /** As {@link #queue(int)}; the strategy says what is done when the queue is full, by default to refuse. */
    public static <O> Source<O, SourceQueue<O>> queue(int capacity, OverflowStrategy strategy) {
        return fromGraph(new SourceQueueStage<>(capacity, strategy));
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

    /**
     * Emits the value of a future once that is completed, then completes; fails as the future does. All runs have the one future; to have each make its
     * own, wrap it in {@link #lazy}.
     */
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
        return fromGraph(new NestedSource<>(
                "lazy", true, (runtime, attributes) -> Unrolling.of(Step.required(factory.make(), "lazy"))));
    }

    /** As {@link #fromCompletionStage}, of a future that the function makes when first asked for an element, anew for each run. */
    public static <O> Source<O, NotUsed> lazyCompletionStage(
            ThrowingSupplier<? extends CompletionStage<? extends O>> factory) {
        Objects.requireNonNull(factory, "factory");
        String name = "lazyCompletionStage";
        return fromGraph(new NestedSource<O, NotUsed>(
                        name,
                        true,
                        (runtime, attributes) ->
                                Unrolling.of(Source.<O>fromCompletionStage(Step.required(factory.make(), name)))))
                .mapMaterializedValue(made -> NotUsed.NOT_USED);
    }

    /**
     * Makes another source from the runtime and the attributes of this one when run, and emits what that emits. The
     * future is the other's value; it fails with {@link NeverMaterializedException} when the other is never made.
     */
    public static <O, M> Source<O, CompletionStage<M>> fromRuntime(
            ThrowingBiFunction<Materializer, Attributes, ? extends Graph<SourceShape<O>, M>> factory) {
        Objects.requireNonNull(factory, "factory");
        return fromGraph(new NestedSource<>(
                "fromRuntime",
                false,
                (runtime, attributes) ->
                        Unrolling.of(Step.required(factory.apply(runtime, attributes), "fromRuntime"))));
    }

    /**
     * Emits what a source emits that is made of a resource, which comes as a future; cleans up, when that source has stopped or after five seconds, before it
     * completes or fails, or when it is cancelled. What the cleanup fails with fails the stream after a completion, is added to the
     * failure after a failure, and is reported after a cancellation.
     */
    public static <R, O> Source<O, NotUsed> usingWhen(
            ThrowingSupplier<? extends CompletionStage<R>> resource,
            ThrowingFunction<? super R, ? extends Graph<SourceShape<O>, ?>> body,
            ThrowingBiFunction<? super R, ? super Outcome, ? extends CompletionStage<?>> cleanup) {
        return fromGraph(new UsingWhenSource<R, O>(resource, body, cleanup));
    }

    /** Emits what a source emits, and makes and runs a new one each time that has ended and let go of everything, as the settings say. */
    public static <O> Source<O, NotUsed> restarting(
            RestartSettings settings, ThrowingSupplier<? extends Graph<SourceShape<O>, ?>> factory) {
        return fromGraph(new RestartingSource<O>(settings, factory));
    }

    /** Reads a file in chunks of up to 8 KiB, each in a buffer of its own; runs on the blocking workers. */
    public static Source<ByteBuffer, NotUsed> fromPath(Path path) {
        return fromPath(path, DEFAULT_CHUNK_BYTES);
    }

    /** Reads a file in chunks of up to so many bytes, each in a buffer of its own; runs on the blocking workers. */
    public static Source<ByteBuffer, NotUsed> fromPath(Path path, int chunkBytes) {
        return fromGraph(new PathSource(path, chunkBytes)).withAttributes(Attributes.blocking());
    }

    /** Reads an input stream in chunks of up to 8 KiB, each in a buffer of its own; runs on the blocking workers. */
    public static Source<ByteBuffer, NotUsed> fromInputStream(ThrowingSupplier<? extends InputStream> streams) {
        return fromInputStream(streams, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads an input stream in chunks of up to so many bytes, each in a buffer of its own; runs on the blocking
     * workers. The stream is opened for each run and closed once at its end.
     */
    public static Source<ByteBuffer, NotUsed> fromInputStream(
            ThrowingSupplier<? extends InputStream> streams, int chunkBytes) {
        return fromGraph(new UnfoldResourceSource<InputStream, ByteBuffer>(
                        "inputStream", streams, new ChunkReading(chunkBytes), InputStream::close))
                .withAttributes(Attributes.blocking());
    }

    /** As {@link #asOutputStream(int)}, in chunks of up to 8 KiB. */
    public static Source<ByteBuffer, OutputStream> asOutputStream() {
        return asOutputStream(DEFAULT_CHUNK_BYTES);
    }

    /**
     * Gives back an output stream, and emits what is written there, copied to chunks of up to so many bytes: when one is full,
     * by {@code flush}, and by {@code close}, which completes. Writing waits while four chunks are not taken, and fails with an
     * IOException when the stream has failed or was cancelled. To be written on a thread that runs no stream.
     */
    public static Source<ByteBuffer, OutputStream> asOutputStream(int chunkBytes) {
        ChunkReading.checked(chunkBytes);
        return Source.<ByteBuffer>queue(WritableBytes.MOST_CHUNKS)
                .mapMaterializedValue(queue -> new WritableBytes(queue, chunkBytes));
    }

    /** Emits the elements of all these sources as they come; completes when all have. */
    public static <O> Source<O, NotUsed> mergeAll(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources) {
        return fromGraph(Junctions.<O, O>join(sources, Junctions::merge));
    }

    /** Emits the elements of these sources, one source after the other. */
    public static <O> Source<O, NotUsed> concatAll(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources) {
        return fromGraph(Junctions.<O, O>join(sources, Junctions::concat));
    }

    /** Emits lists of one element of each of these sources, in their order; completes with the first that does. */
    public static <O> Source<List<O>, NotUsed> zipN(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources) {
        return fromGraph(Junctions.<O, List<O>>join(sources, count -> new ZipWithNStage<>("zipN", count, all -> all)));
    }

    /** Makes one element of a list with one of each of these sources; completes with the first that does. */
    public static <O, R> Source<R, NotUsed> zipWithN(
            List<? extends Graph<? extends SourceShape<? extends O>, ?>> sources,
            ThrowingFunction<? super List<O>, ? extends R> function) {
        return fromGraph(Junctions.<O, R>join(sources, count -> new ZipWithNStage<O, R>("zipWithN", count, function)));
    }

    /** Any graph of this shape as a source. */
    public static <O, M> Source<O, M> fromGraph(Graph<SourceShape<O>, M> graph) {
        return graph instanceof Source<O, M> source ? source : new Source<>(Blueprint.of(graph));
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

    @Override
    public <P> Source<P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    @Override
    public <P, M2, M3> Source<P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Source<>(Blueprints.chain(blueprint(), flow, combine));
    }

    @Override
    <P> Source<P, M> joined(Graph<? extends SourceShape<?>, ?> other, Graph<?, ?> stage) {
        return new Source<>(Blueprints.join(blueprint(), other, stage));
    }

    @Override
    public Source<O, M> withAttributes(Attributes attributes) {
        return new Source<>(Blueprints.withAttributes(blueprint(), attributes));
    }

    /**
     * Runs everything so far again when it fails; what it emits goes on behind what was emitted before. The value is that
     * of the first run. Each run begins when the one before has let go of everything; of the first, when what is below its last
     * {@code async()} has. A future is made once, before: {@code fromCompletionStage(call()).retry(...)} calls no second time, where
     * {@code Source.lazy(() -> Source.fromCompletionStage(call())).retry(...)} does.
     */
    public Source<O, M> retry(RetrySettings settings) {
        Objects.requireNonNull(settings, "settings");
        return via(new RecoverWithStage<O>("retry", () -> Succession.ofRetries(settings, this)));
    }

    /** Emits everything so far so many times in all, at least 1, one run after the other. The value is that of the first. */
    public Source<O, M> repeatTimes(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, not " + count);
        }
        return count == 1 ? this : concat(Source.range(1, count).flatMapConcat(run -> this));
    }

    /**
     * The island in which this source lies runs on a worker of this scheduler, and so do islands that begin above,
     * unless something nearer to them says otherwise; it draws no boundary.
     */
    public Source<O, M> subscribeOn(Scheduler scheduler) {
        return withAttributes(Attributes.of(new Attributes.SubscribeOn(new SchedulerExecutor(scheduler))));
    }

    /** Everything so far runs as an island of its own, and what follows, up to the next boundary, on this scheduler. */
    public Source<O, M> observeOn(Scheduler scheduler) {
        return async().withAttributes(Attributes.of(new Attributes.ObserveOn(new SchedulerExecutor(scheduler))));
    }

    /** The same source, each element with a context that the function makes of it, and that goes along with it. */
    public <C> SourceWithContext<O, C, M> asSourceWithContext(ThrowingFunction<? super O, ? extends C> context) {
        return SourceWithContext.fromPairs(via(ContextSteps.<O, C>attach(context)));
    }

    /** Sends the elements into a sink; keeps this value. */
    public RunnableGraph<M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> RunnableGraph<M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new RunnableGraph<>(Blueprints.chain(blueprint(), sink, combine));
    }

    /**
     * Runs into the sink and hands back the sink's value. To cancel that, where it is a future, does not end the stream: {@link #killSwitch} does, or
     * {@link KillSwitches#shared}.
     */
    public <M2> M2 runWith(Graph<? extends SinkShape<? super O>, M2> sink, Materializer runtime) {
        return this.<M2, M2>toMat(sink, Keep.right()).run(runtime);
    }

    /**
     * Runs this, calls the consumer with each element, and hands back a future of the end. To cancel the future does not end the stream:
     * {@link #killSwitch} does, or {@link KillSwitches#shared}.
     */
    public CompletionStage<Done> runForeach(ThrowingConsumer<? super O> consumer, Materializer runtime) {
        return runWith(Sink.<O>foreach(consumer), runtime);
    }

    /**
     * The elements for a thread that waits for them, up to 16 ahead; each iterator is a run of its own, which waits for its
     * reader until it has ended. A failure is thrown behind the elements before it: as it is, or in a CompletionException if it
     * is checked; so is an interrupt, which cancels.
     *
     * @throws IllegalStateException by the iterator, on a thread that runs a stream of this runtime
     */
    public Iterable<O> runToIterable(Materializer runtime) {
        Objects.requireNonNull(runtime, "runtime");
        RunnableGraph<SinkQueue<O>> graph = toMat(Sink.<O>queue(), Keep.right());
        return () -> new BlockingIterator<>(graph, runtime);
    }

    /**
     * Runs this at once; the elements as those of an iterator of {@link #runToIterable}, in a stream of {@code java.util.stream},
     * which cancels when it is closed. Not closed before its end, it waits for its reader for ever.
     */
    public Stream<O> runToStream(Materializer runtime) {
        Objects.requireNonNull(runtime, "runtime");
        return new BlockingIterator<>(this.<SinkQueue<O>, SinkQueue<O>>toMat(Sink.<O>queue(), Keep.right()), runtime)
                .toStream();
    }

    /** Runs this at once; gives back its value and a source, good for one run, of its elements. */
    public Pair<M, Source<O, NotUsed>> preMaterialize(Materializer runtime) {
        Pair<M, Publisher<O>> running =
                toMat(Sink.<O>asPublisher(), Keep.<M, Publisher<O>>both()).run(runtime);
        return new Pair<>(running.first(), fromPublisher(running.second()));
    }

    /** Shares one run of this source, in this runtime, among consumers, who see what comes from when they join. */
    public ConnectableSource<O> publish(Materializer runtime) {
        return new ConnectableSource<>(this, runtime, BroadcastHubSettings.defaults(), JoinPosition.tail());
    }

    /**
     * Shares one run of this source, in this runtime, among consumers, who first see so many elements, 1 to 4096, that came
     * before they joined; also after the end.
     */
    public ConnectableSource<O> replay(int count, Materializer runtime) {
        if (count < 1 || count > BroadcastHubSettings.MAX_BUFFER_SIZE) {
            throw new IllegalArgumentException(
                    "count must be between 1 and " + BroadcastHubSettings.MAX_BUFFER_SIZE + ", not " + count);
        }
        BroadcastHubSettings settings = BroadcastHubSettings.defaults();
        int bufferSize = Math.max(settings.bufferSize(), Integer.highestOneBit(2 * count - 1));
        return new ConnectableSource<>(this, runtime, settings.withBufferSize(bufferSize), JoinPosition.replay(count));
    }

    /**
     * Runs this source once, in this runtime, when the result is first run; each run of the result emits everything from
     * the first element on. The elements are kept as long as the result is, without a bound.
     */
    public Source<O, NotUsed> cache(Materializer runtime) {
        Objects.requireNonNull(runtime, "runtime");
        return fromGraph(new CacheSource<O>(kept -> to(kept).run(runtime)));
    }

    /** A Reactive Streams publisher that runs this source anew for each subscriber. */
    public Publisher<O> toPublisher(Materializer runtime) {
        return new SourcePublisher<>(this, runtime, StreamRuntime.reporter(runtime));
    }

    /** A publisher of {@code java.util.concurrent.Flow} that runs this source anew for each subscriber. */
    public java.util.concurrent.Flow.Publisher<O> toFlowPublisher(Materializer runtime) {
        return FlowAdapters.toFlowPublisher(toPublisher(runtime));
    }

    /** The same source with another materialized value. */
    public <M2> Source<O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Source<>(Blueprints.mapValue(blueprint(), function));
    }
}
