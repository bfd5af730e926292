package io.millrace.streams;

import io.millrace.streams.engine.plan.AssemblyTrace;
import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.BlueprintGraph;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.bytes.OutputStreamSink;
import io.millrace.streams.operator.bytes.PathSink;
import io.millrace.streams.operator.failures.RestartingFlow;
import io.millrace.streams.operator.futures.MappedFuture;
import io.millrace.streams.operator.interop.PublisherSink;
import io.millrace.streams.operator.interop.SubscriberSink;
import io.millrace.streams.operator.sinks.CancelledSink;
import io.millrace.streams.operator.sinks.CollectSink;
import io.millrace.streams.operator.sinks.FoldSink;
import io.millrace.streams.operator.sinks.ForeachSink;
import io.millrace.streams.operator.sinks.HeadSink;
import io.millrace.streams.operator.sinks.IgnoreSink;
import io.millrace.streams.operator.sinks.LastElements;
import io.millrace.streams.operator.sinks.LazySink;
import io.millrace.streams.operator.sinks.OnCompleteSink;
import io.millrace.streams.operator.sinks.SeqSink;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** A graph with one open inlet: where elements go. Immutable; every method hands back a new one. */
@SuppressWarnings("exports") // what it inherits is not for users
public final class Sink<I, M> extends BlueprintGraph<SinkShape<I>, M> {
    /** Those of nothing that is the caller's are made once, unless the place of each is to be known. */
    private static final Sink<?, ?> SEQ = fromGraph(new SeqSink<>());

    private static final Sink<?, ?> HEAD = fromGraph(new HeadSink<>());
    private static final Sink<?, ?> IGNORE = fromGraph(new IgnoreSink<>());

    private @Nullable SinkShape<I> shape;

    private Sink(Blueprint blueprint) {
        super(blueprint);
    }

    @SuppressWarnings("unchecked")
    private static <I, M> Sink<I, M> made(Sink<?, ?> before) {
        return (Sink<I, M>) before;
    }

    static <I, M> Sink<I, M> ofBlueprint(Blueprint blueprint) {
        return new Sink<>(blueprint);
    }

    /** Drops every element. */
    public static <I> Sink<I, CompletionStage<Done>> ignore() {
        return AssemblyTrace.isOn() ? fromGraph(new IgnoreSink<>()) : made(IGNORE);
    }

    /** Does something with every element. */
    public static <I> Sink<I, CompletionStage<Done>> foreach(ThrowingConsumer<? super I> action) {
        return fromGraph(new ForeachSink<>(action));
    }

    /** Makes one result, one by one, of the zero and the elements. */
    public static <I, A> Sink<I, CompletionStage<A>> fold(
            A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        return fromGraph(FoldSink.fold(zero, function));
    }

    /** Makes one result of the elements, one by one; fails with NoSuchElementException when there are none. */
    public static <I> Sink<I, CompletionStage<I>> reduce(
            ThrowingBiFunction<? super I, ? super I, ? extends I> function) {
        return fromGraph(FoldSink.reduce(function));
    }

    /** Takes the first element and cancels; fails with NoSuchElementException when there is none. */
    public static <I> Sink<I, CompletionStage<I>> head() {
        return AssemblyTrace.isOn() ? fromGraph(new HeadSink<>()) : made(HEAD);
    }

    /** Takes the last element; fails with NoSuchElementException when there is none. */
    public static <I> Sink<I, CompletionStage<I>> last() {
        return fromGraph(FoldSink.last());
    }

    /** Takes the first element, if there is one, and cancels. */
    public static <I> Sink<I, CompletionStage<Optional<I>>> headOption() {
        return Flow.<I>create().take(1).toMat(lastOption(), Keep.right());
    }

    /** Takes the last element, if there is one. */
    public static <I> Sink<I, CompletionStage<Optional<I>>> lastOption() {
        return collect(Collectors.reducing((I earlier, I later) -> later));
    }

    /** Gathers up to so many elements, at least 1, from the end of the stream. */
    public static <I> Sink<I, CompletionStage<List<I>>> takeLast(int count) {
        return collect(LastElements.of(count));
    }

    /** Counts the elements. */
    public static <I> Sink<I, CompletionStage<Long>> count() {
        return fold(0L, (count, element) -> count + 1);
    }

    /** Whether the condition holds for an element; cancels as soon as one is found. */
    public static <I> Sink<I, CompletionStage<Boolean>> exists(ThrowingPredicate<? super I> condition) {
        return search(Objects.requireNonNull(condition, "condition"), true);
    }

    /** Whether the condition holds for every element; cancels as soon as it does not. */
    public static <I> Sink<I, CompletionStage<Boolean>> forall(ThrowingPredicate<? super I> condition) {
        Objects.requireNonNull(condition, "condition");
        return search((I element) -> !condition.test(element), false);
    }

    /** Whether the condition holds for no element; cancels as soon as it does. */
    public static <I> Sink<I, CompletionStage<Boolean>> none(ThrowingPredicate<? super I> condition) {
        return search(Objects.requireNonNull(condition, "condition"), false);
    }

    private static <I> Sink<I, CompletionStage<Boolean>> search(
            ThrowingPredicate<? super I> condition, boolean resultWhenFound) {
        return Flow.<I>create()
                .filter(condition)
                .take(1)
                .toMat(Sink.<I, Boolean>fold(!resultWhenFound, (result, element) -> resultWhenFound), Keep.right());
    }

    /** Calls a function for every element and waits for its futures, up to so many at a time. */
    public static <I> Sink<I, CompletionStage<Done>> foreachAsync(
            int parallelism, ThrowingFunction<? super I, ? extends CompletionStage<?>> function) {
        Objects.requireNonNull(function, "function");
        return Flow.<I>create()
                .<Done>mapAsyncUnordered(
                        parallelism,
                        element -> MappedFuture.of(
                                Step.required(function.apply(element), "foreachAsync"), result -> Done.DONE))
                .toMat(Sink.<Done>ignore(), Keep.right());
    }

    /**
     * Sends the elements to a sink, and makes and runs a new one each time that cancels or fails, as the settings say, until
     * upstream ends. What a sink has not taken of up to 16 elements that wait for it when it ends is lost.
     */
    public static <I> Sink<I, NotUsed> restarting(
            RestartSettings settings, ThrowingSupplier<? extends Graph<SinkShape<I>, ?>> factory) {
        Objects.requireNonNull(factory, "factory");
        return Flow.fromGraph(new RestartingFlow<I, Object>(
                        settings,
                        () -> Flow.<I, Object>fromSinkAndSource(factory.make(), Source.never()),
                        (source, onFailure, flow) ->
                                Source.fromGraph(source).doOnError(onFailure).via(flow),
                        true))
                .to(Sink.ignore());
    }

    /**
     * Makes another sink when the first element comes, and sends everything there. The future is the other's value; it
     * fails with {@link NeverMaterializedException} when the other is never made.
     */
    public static <I, M> Sink<I, CompletionStage<M>> lazy(ThrowingSupplier<? extends Graph<SinkShape<I>, M>> factory) {
        return fromGraph(new LazySink<I, M>(factory));
    }

    /**
     * Sends the elements to the sink that a future gives; until then none is taken. Cancels upstream when the future fails. The
     * future here is the sink's value; it fails with {@link NeverMaterializedException} when that never runs.
     */
    public static <I, M> Sink<I, CompletionStage<M>> fromCompletionStage(
            CompletionStage<? extends Graph<SinkShape<I>, M>> future) {
        Objects.requireNonNull(future, "future");
        return Flow.<I, I, M>fromCompletionStage(MappedFuture.of(
                        future,
                        sink -> Flow.<I, I, M, NotUsed, M>fromSinkAndSourceMat(
                                Step.required(sink, "fromCompletionStage"), Source.empty(), Keep.left())))
                .toMat(Sink.<I>ignore(), Keep.left());
    }

    /** Sends the elements to these sinks by a junction of as many outputs, such as {@code Junctions::balance}. */
    public static <I> Sink<I, NotUsed> combine(
            List<? extends Graph<? extends SinkShape<? super I>, ?>> sinks,
            IntFunction<? extends Graph<FanOutShape<I, I>, ?>> strategy) {
        return fromGraph(Junctions.combined(sinks, strategy));
    }

    /** Gathers all elements in a list, which must fit in memory. */
    public static <I> Sink<I, CompletionStage<List<I>>> seq() {
        return AssemblyTrace.isOn() ? fromGraph(new SeqSink<>()) : made(SEQ);
    }

    /** Collects the elements, as a stream of the standard library does. */
    public static <I, A, R> Sink<I, CompletionStage<R>> collect(Collector<? super I, A, R> collector) {
        return fromGraph(new CollectSink<>(collector));
    }

    /** Gives back a queue from which any thread takes elements. */
    public static <I> Sink<I, SinkQueue<I>> queue() {
        return fromGraph(new SinkQueueStage<>());
    }

    /** Cancels at once. */
    public static <I> Sink<I, NotUsed> cancelled() {
        return fromGraph(new CancelledSink<>());
    }

    /** Drops every element and calls back once when the stream ends, with what it failed with, if it failed. */
    public static <I> Sink<I, NotUsed> onComplete(ThrowingConsumer<Optional<Throwable>> callback) {
        return fromGraph(new OnCompleteSink<>(callback));
    }

    /**
     * Gives back a Reactive Streams publisher for one subscriber; a second one is refused. Nothing is asked of upstream
     * before the subscriber does.
     */
    public static <I> Sink<I, Publisher<I>> asPublisher() {
        return fromGraph(new PublisherSink<>());
    }

    /** Gives back a publisher of {@code java.util.concurrent.Flow} for one subscriber; a second one is refused. */
    public static <I> Sink<I, java.util.concurrent.Flow.Publisher<I>> asFlowPublisher() {
        return Sink.<I>asPublisher().mapMaterializedValue(FlowAdapters::toFlowPublisher);
    }

    /**
     * Gives back a Reactive Streams publisher for any number of subscribers at once, at the pace of the slowest; one that
     * comes later sees the elements from then on. The buffer is that of a {@link BroadcastHub}.
     */
    public static <I> Sink<I, Publisher<I>> asFanOutPublisher(int bufferSize, Materializer runtime) {
        return BroadcastHub.<I>sink(bufferSize)
                .mapMaterializedValue(hub -> hub.source().toPublisher(runtime));
    }

    /** Sends the elements to a Reactive Streams subscriber, as it asks for them; it serves one run, and any other fails. */
    public static <I> Sink<I, NotUsed> fromSubscriber(Subscriber<? super I> subscriber) {
        return fromGraph(new SubscriberSink<>(subscriber));
    }

    /** Sends the elements to a subscriber of {@code java.util.concurrent.Flow}, as it asks for them. */
    public static <I> Sink<I, NotUsed> fromFlowSubscriber(java.util.concurrent.Flow.Subscriber<? super I> subscriber) {
        return fromSubscriber(FlowAdapters.toSubscriber(subscriber));
    }

    /**
     * Writes what is left in each buffer to a file, which is made or emptied first, and gives back how many bytes were
     * written; runs on the blocking workers.
     */
    public static Sink<ByteBuffer, CompletionStage<Long>> toPath(Path path) {
        return toPath(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** As {@link #toPath(Path)}, with the options under which the file is opened. */
    public static Sink<ByteBuffer, CompletionStage<Long>> toPath(Path path, OpenOption... options) {
        return fromGraph(new PathSink(path, Set.of(options))).withAttributes(Attributes.blocking());
    }

    /**
     * Writes what is left in each buffer to an output stream, which is made for each run, flushed whenever no further element is at hand and closed
     * exactly once, and gives back how many bytes were written; runs on the blocking workers.
     */
    public static Sink<ByteBuffer, CompletionStage<Long>> toOutputStream(
            ThrowingSupplier<? extends OutputStream> factory) {
        return fromGraph(new OutputStreamSink(factory)).withAttributes(Attributes.blocking());
    }

    /**
     * Gives back an input stream of what is left in each buffer; reading waits for it, and fails with an IOException, whose
     * cause is the failure, when the stream has failed. It holds up to two buffers. Closing it, from any thread, cancels the
     * stream, which waits for its reader as long as it is not closed. To be read on a thread that runs no stream.
     */
    public static Sink<ByteBuffer, InputStream> asInputStream() {
        return fromGraph(new SinkQueueStage<ByteBuffer>()).mapMaterializedValue(ReadableBytes::new);
    }

    /** Any graph of this shape as a sink. */
    public static <I, M> Sink<I, M> fromGraph(Graph<SinkShape<I>, M> graph) {
        return graph instanceof Sink<I, M> sink ? sink : new Sink<>(Blueprint.of(graph));
    }

    @Override
    public synchronized SinkShape<I> shape() {
        SinkShape<I> made = shape;
        if (made == null) {
            made = SinkShape.of(Inlet.create("sink.in"));
            shape = made;
        }
        return made;
    }

    /** Runs this at once; gives back its value and a sink, good for one run, that sends elements there. */
    public Pair<M, Sink<I, NotUsed>> preMaterialize(Materializer runtime) {
        Pair<Subscriber<I>, M> running = Source.<I>asSubscriber()
                .toMat(this, Keep.<Subscriber<I>, M>both())
                .run(runtime);
        return new Pair<>(running.second(), fromSubscriber(running.first()));
    }

    /** The same sink with another materialized value. */
    public <M2> Sink<I, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return ofBlueprint(Blueprints.mapValue(blueprint(), function));
    }

    /** The whole sink runs as an island of its own. */
    public Sink<I, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** The same sink under a name, which stands in the path of its operators. */
    public Sink<I, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same sink with these attributes added to it. */
    public Sink<I, M> withAttributes(Attributes attributes) {
        return ofBlueprint(Blueprints.withAttributes(blueprint(), attributes));
    }
}
