package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.BidiShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.elements.IdentityStage;
import io.millrace.streams.operator.elements.MapStage;
import io.millrace.streams.operator.failures.RestartingFlow;
import io.millrace.streams.operator.failures.RetryingStage;
import io.millrace.streams.operator.futures.MappedFuture;
import io.millrace.streams.operator.interop.SubscriberAndPublisher;
import io.millrace.streams.operator.junctions.CoupledStage;
import io.millrace.streams.operator.substreams.LateFlow;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
public final class Flow<I, O, M> extends FlowControl<I, O, M> {
    private @Nullable FlowShape<I, O> shape;

    private Flow(Blueprint blueprint) {
        super(blueprint);
    }

    static <I, O, M> Flow<I, O, M> ofBlueprint(Blueprint blueprint) {
        return new Flow<>(blueprint);
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

    /**
     * As {@link #fromSinkAndSource}, but the two end together: when one of them completes, cancels or fails, or what stands next to it does, the
     * other is cancelled, completed or failed.
     */
    public static <I, O> Flow<I, O, NotUsed> fromSinkAndSourceCoupled(
            Graph<SinkShape<I>, ?> sink, Graph<SourceShape<O>, ?> source) {
        return fromSinkAndSourceCoupledMat(sink, source, Keep.none());
    }

    /** As {@link #fromSinkAndSourceCoupled}; the function makes the value from both. */
    public static <I, O, M1, M2, M> Flow<I, O, M> fromSinkAndSourceCoupledMat(
            Graph<SinkShape<I>, M1> sink,
            Graph<SourceShape<O>, M2> source,
            BiFunction<? super M1, ? super M2, ? extends M> combine) {
        return fromGraph(GraphBuilder.create(sink, source, combine, (builder, end, start) -> {
            BidiShape<I, I, O, O> coupled = builder.add(new CoupledStage<I, O>());
            builder.connect(coupled.out1(), end.in()).connect(start.out(), coupled.in2());
            return FlowShape.of(coupled.in1(), coupled.out2());
        }));
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

    /**
     * Passes the elements through a flow, and makes and runs a new one each time that has ended and let go of everything, as the settings
     * say, until upstream or downstream ends. What a flow has taken and not emitted when it ends is lost: up to 16 elements that
     * wait for it, and what is inside.
     */
    public static <I, O> Flow<I, O, NotUsed> restarting(
            RestartSettings settings, ThrowingSupplier<? extends Graph<FlowShape<I, O>, ?>> factory) {
        return fromGraph(new RestartingFlow<I, O>(
                settings,
                factory,
                (source, onFailure, flow) ->
                        Source.fromGraph(source).doOnError(onFailure).via(flow),
                false));
    }

    /**
     * Passes one element at a time through a flow that makes exactly one of each. What it makes is emitted, unless the function, which is
     * given the element and what became of it, says which element to give to the flow instead: after a wait, up to so many times, at
     * least 1, in a row. The value is that of the flow. When the flow completes, this does; but it fails if the flow has been given an element by then of which it has made none,
     * as may be of one behind {@link #async()} that completes while upstream has more.
     */
    public static <I, O, M> Flow<I, O, M> retrying(
            int maxRetries,
            Backoff backoff,
            Graph<FlowShape<I, O>, M> flow,
            ThrowingBiFunction<? super I, ? super O, Optional<I>> again) {
        return BidiFlow.fromGraph(new RetryingStage<I, O>(maxRetries, backoff, again))
                .joinMat(flow, Keep.<NotUsed, M>right());
    }

    /**
     * Makes another flow when the first element comes, for which downstream must have asked, and passes everything through that.
     * The future is the other's value; it fails with {@link NeverMaterializedException} when the other is never made.
     */
    public static <I, O, M> Flow<I, O, CompletionStage<M>> lazy(
            ThrowingSupplier<? extends Graph<FlowShape<I, O>, M>> factory) {
        Objects.requireNonNull(factory, "factory");
        return Flow.<I, O, M>late(
                "lazy", true, () -> CompletableFuture.completedFuture(Step.required(factory.make(), "lazy")));
    }

    /**
     * Passes the elements through the flow that a future gives; until then none is taken. Fails, and cancels upstream, as the
     * future does. The future here is the flow's value; it fails with {@link NeverMaterializedException} when that never runs.
     */
    public static <I, O, M> Flow<I, O, CompletionStage<M>> fromCompletionStage(
            CompletionStage<? extends Graph<FlowShape<I, O>, M>> future) {
        Objects.requireNonNull(future, "future");
        return late("future", false, () -> MappedFuture.of(future, flow -> Step.required(flow, "fromCompletionStage")));
    }

    private static <I, O, M> Flow<I, O, CompletionStage<M>> late(
            String name,
            boolean withFirstElement,
            ThrowingSupplier<? extends CompletionStage<? extends Graph<FlowShape<I, O>, M>>> factory) {
        return fromGraph(new LateFlow<I, O, M>(
                name,
                withFirstElement,
                factory,
                (source, flow, onValue) -> Source.fromGraph(source).viaMat(flow, (none, value) -> {
                    onValue.accept(value);
                    return none;
                })));
    }

    /** Passes the elements through a processor of {@code java.util.concurrent.Flow}, made anew for each run. */
    public static <I, O> Flow<I, O, NotUsed> fromFlowProcessor(
            Supplier<? extends java.util.concurrent.Flow.Processor<I, O>> processors) {
        Objects.requireNonNull(processors, "processors");
        return fromProcessor(() -> FlowAdapters.toProcessor(processors.get()));
    }

    /** Any graph of this shape as a flow. */
    public static <I, O, M> Flow<I, O, M> fromGraph(Graph<FlowShape<I, O>, M> graph) {
        return graph instanceof Flow<I, O, M> flow ? flow : new Flow<>(Blueprint.of(graph));
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

    @Override
    public <P> Flow<I, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    @Override
    public <P, M2, M3> Flow<I, P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Flow<>(Blueprints.chain(blueprint(), flow, combine));
    }

    @Override
    <P> Flow<I, P, M> joined(Graph<? extends SourceShape<?>, ?> other, Graph<?, ?> stage) {
        return new Flow<>(Blueprints.joinFlow(blueprint(), other, stage));
    }

    @Override
    public Flow<I, O, M> prepend(Graph<? extends SourceShape<? extends O>, ?> other) {
        return Blueprints.isIdentity(blueprint())
                ? new Flow<>(Blueprint.of(Junctions.<O>before(other)))
                : super.prepend(other);
    }

    @Override
    public Flow<I, O, M> withAttributes(Attributes attributes) {
        return new Flow<>(Blueprints.withAttributes(blueprint(), attributes));
    }

    /** Sends the elements into a sink; keeps this value. */
    public Sink<I, M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> Sink<I, M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return Sink.ofBlueprint(Blueprints.chain(blueprint(), sink, combine));
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

    /**
     * The same flow between elements with contexts: the first function makes what the flow takes of an element and its
     * context, the second the context of what it emits.
     */
    public <J, CJ, C> FlowWithContext<J, CJ, O, C, M> asFlowWithContext(
            ThrowingBiFunction<? super J, ? super CJ, ? extends I> join,
            ThrowingFunction<? super O, ? extends C> context) {
        return FlowWithContext.fromPairs(Flow.<Pair<J, CJ>>create()
                .<I>map(pair -> join.apply(pair.first(), pair.second()))
                .<O, M, M>viaMat(this, Keep.<NotUsed, M>right())
                .via(ContextSteps.<O, C>attach(context)));
    }

    /** The same flow with another materialized value. */
    public <M2> Flow<I, O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Flow<>(Blueprints.mapValue(blueprint(), function));
    }
}
