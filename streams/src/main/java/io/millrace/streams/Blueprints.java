package io.millrace.streams;

import io.millrace.streams.engine.island.SubstreamOutput;
import io.millrace.streams.engine.plan.AssemblyTrace;
import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.Combine;
import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.elements.IdentityStage;
import io.millrace.streams.operator.sources.FailedSource;
import io.millrace.streams.operator.substreams.FlatMapStage;
import io.millrace.streams.operator.substreams.InnerSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/** From graphs to the engine's blueprints. */
final class Blueprints {
    private static final List<Blueprint.Wire> JOINED = List.of(
            new Blueprint.Wire(new Blueprint.Port(0, 0), new Blueprint.Port(2, 0)),
            new Blueprint.Wire(new Blueprint.Port(1, 0), new Blueprint.Port(2, 1)));
    private static final List<Blueprint.Port> JOINED_OUTLETS = List.of(new Blueprint.Port(2, 0));
    private static final List<Integer> FIRST_VALUE = List.of(0);

    private Blueprints() {}

    /** A source that a stage is to emit the elements of: without a run of its own if it is no more than a loop. */
    @SuppressWarnings("unchecked")
    static <O> InnerSource<O> inner(Graph<? extends SourceShape<? extends O>, ?> source) {
        if (Blueprint.of(source) instanceof Blueprint.Stage part) {
            if (part.stage() instanceof OriginStage<?> origin) {
                return new InnerSource.Loop<>(origin);
            }
            if (part.stage() instanceof FailedSource<?> failed) {
                return new InnerSource.Failed<>(failed.failure());
            }
            SubstreamOutput<?> outflow = SubstreamOutput.before(part.stage());
            if (outflow != null) {
                return new InnerSource.Emitted<>((SubstreamOutput<O>) outflow);
            }
        }
        return new InnerSource.Running<>(source);
    }

    /** A function that makes sources, for a stage that is to emit their elements. */
    static <I, O> ThrowingFunction<I, InnerSource<O>> inner(
            ThrowingFunction<? super I, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        Objects.requireNonNull(function, "function");
        return element -> inner(Step.required(function.apply(element), ""));
    }

    /** Goes on with the first element, in a list that may be empty, and the others through the flow made of the first. */
    static <O, P> FlatMapStage<Pair<List<O>, Source<O, NotUsed>>, P> switchOnFirst(
            ThrowingFunction<? super O, ? extends Graph<? extends FlowShape<? super O, P>, ?>> function) {
        Objects.requireNonNull(function, "function");
        return FlatMapStage.unsupervised("switchOnFirst", inner(split -> {
            if (split.first().isEmpty()) {
                return Source.<P>empty();
            }
            O first = split.first().get(0);
            try {
                return Source.single(first).concat(split.second()).<P>via(Step.required(function.apply(first), ""));
            } catch (Throwable failure) {
                decline(split.second());
                throw failure;
            }
        }));
    }

    /** Cancels the substreams of which a source consists that nobody will run. */
    static void decline(Source<?, ?> source) {
        Deque<Blueprint> parts = new ArrayDeque<>(List.of(Blueprint.of(source)));
        while (!parts.isEmpty()) {
            Blueprint part = parts.remove();
            if (part instanceof Blueprint.Stage only) {
                SubstreamOutput<?> outflow = SubstreamOutput.before(only.stage());
                if (outflow != null) {
                    outflow.decline();
                }
            } else {
                parts.addAll(partsOf(part));
            }
        }
    }

    /** What a blueprint is directly made of, but for the steps behind a part. */
    static List<Blueprint> partsOf(Blueprint part) {
        if (part instanceof Blueprint.Chain chain) {
            return List.of(chain.first(), chain.second());
        }
        if (part instanceof Blueprint.Appended appended) {
            return List.of(appended.part());
        }
        if (part instanceof Blueprint.Attributed attributed) {
            return List.of(attributed.part());
        }
        if (part instanceof Blueprint.MappedValue mapped) {
            return List.of(mapped.part());
        }
        return part instanceof Blueprint.Composite composite ? composite.parts() : List.of();
    }

    @SuppressWarnings("unchecked")
    static Blueprint chain(Blueprint first, Graph<?, ?> second, BiFunction<?, ?, ?> combine) {
        Objects.requireNonNull(combine, "combine");
        if (second instanceof StepStage<?, ?> step && combine == Combine.LEFT && !AssemblyTrace.isOn()) {
            return new Blueprint.Appended(first, step);
        }
        return new Blueprint.Chain(first, Blueprint.of(second), (BiFunction<Object, Object, Object>) combine);
    }

    @SuppressWarnings("unchecked")
    static Blueprint mapValue(Blueprint part, Function<?, ?> function) {
        return new Blueprint.MappedValue(part, (Function<Object, Object>) Objects.requireNonNull(function, "function"));
    }

    static Blueprint withAttributes(Blueprint part, Attributes attributes) {
        return new Blueprint.Attributed(part, attributes);
    }

    /** Joins a source with a second one by a stage of two inlets; keeps the value of the first. */
    static Blueprint join(Blueprint first, Graph<?, ?> second, Graph<?, ?> stage) {
        return join(first, second, stage, List.of());
    }

    /** Joins a flow with a source by a stage of two inlets; keeps the value of the flow. */
    static Blueprint joinFlow(Blueprint flow, Graph<?, ?> second, Graph<?, ?> stage) {
        if (isIdentity(flow)) {
            return joinFirst(second, stage);
        }
        return join(flow, second, stage, List.of(new Blueprint.Port(0, 0)));
    }

    /** Whether a flow is nothing but one that has just been created: in front of a junction it need not be there. */
    static boolean isIdentity(Blueprint flow) {
        return flow instanceof Blueprint.Stage part && part.stage() instanceof IdentityStage;
    }

    /** A stage of two inlets, of which the first is open. */
    private static Blueprint joinFirst(Graph<?, ?> second, Graph<?, ?> stage) {
        return new Blueprint.Composite(
                List.of(Blueprint.of(second), Blueprint.of(stage)),
                List.of(new Blueprint.Wire(new Blueprint.Port(0, 0), new Blueprint.Port(1, 1))),
                List.of(new Blueprint.Port(1, 0)),
                List.of(new Blueprint.Port(1, 0)),
                List.of(),
                values -> NotUsed.NOT_USED);
    }

    private static Blueprint join(
            Blueprint first, Graph<?, ?> second, Graph<?, ?> stage, List<Blueprint.Port> openInlets) {
        return new Blueprint.Composite(
                List.of(first, Blueprint.of(second), Blueprint.of(stage)),
                JOINED,
                openInlets,
                JOINED_OUTLETS,
                FIRST_VALUE,
                values -> values[0]);
    }

    /** Whether a part is a source joined with a second one by {@link #join(Blueprint, Graph, Graph)}. */
    static boolean isJoin(Blueprint.Composite part) {
        return part.wires() == JOINED && part.inlets().isEmpty();
    }
}
