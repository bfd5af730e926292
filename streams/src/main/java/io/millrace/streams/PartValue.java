package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes the materialized value of a part that of the graph which an operator has put around it. */
final class PartValue {
    /** Where a blueprint stands: the number it has among the parts of what is around it. */
    private record Place(
            Blueprint blueprint, int index, @Nullable Place around) {}

    /** The value that a blueprint had without the part's, and the part's. */
    private record Values(@Nullable Object own, @Nullable Object ofPart) {}

    private PartValue() {}

    /** What the operator makes of a flow and the part, with the value of the part. */
    static <O, S extends Shape, P, M> Graph<FlowShape<O, P>, M> of(
            Graph<S, M> part,
            BiFunction<
                            ? super Flow<O, O, NotUsed>,
                            ? super Graph<S, M>,
                            ? extends Graph<? extends FlowShape<? super O, P>, ?>>
                    operator) {
        Objects.requireNonNull(operator, "operator");
        // attributes that say nothing: a node of its own, by which the part is found again
        Blueprint marked = new Blueprint.Attributed(Blueprint.of(part), Attributes.NONE);
        Flow<O, P, ?> made = Junctions.flow(Objects.requireNonNull(
                operator.apply(Flow.create(), new CompositeGraph<>(part.shape(), marked)),
                "viaMat: the operator returned null"));
        return new CompositeGraph<>(made.shape(), withValue(placeOf(marked, Blueprint.of(made))));
    }

    private static Place placeOf(Blueprint part, Blueprint whole) {
        List<Place> found = new ArrayList<>();
        Deque<Place> open = new ArrayDeque<>(List.of(new Place(whole, 0, null)));
        while (!open.isEmpty()) {
            Place place = open.pop();
            if (place.blueprint() == part) {
                found.add(place);
                continue;
            }
            List<Blueprint> parts = Blueprints.partsOf(place.blueprint());
            for (int i = 0; i < parts.size(); i++) {
                open.push(new Place(parts.get(i), i, place));
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException("viaMat: the operator must put the part that it is given into its graph"
                    + " once, not " + found.size() + " times; one that runs the part by itself, such as concatLazy, has"
                    + " no value of it to give");
        }
        return found.get(0);
    }

    private static Blueprint withValue(Place part) {
        Blueprint made = new Blueprint.MappedValue(part.blueprint(), value -> new Values(value, value));
        int index = part.index();
        for (Place around = part.around(); around != null; around = around.around()) {
            made = withValues(around.blueprint(), index, made);
            index = around.index();
        }
        return new Blueprint.MappedValue(made, values -> ((Values) values).ofPart());
    }

    /** The same blueprint around a part that has both values now. */
    private static Blueprint withValues(Blueprint around, int index, Blueprint part) {
        if (around instanceof Blueprint.Chain chain) {
            return withValues(chain, index, part);
        }
        if (around instanceof Blueprint.Composite composite) {
            return withValues(composite, index, part);
        }
        if (around instanceof Blueprint.Appended appended) {
            return new Blueprint.Appended(part, appended.step());
        }
        if (around instanceof Blueprint.Attributed attributed) {
            return new Blueprint.Attributed(part, attributed.attributes());
        }
        return new Blueprint.MappedValue(part, values -> {
            Values both = (Values) values;
            return new Values(((Blueprint.MappedValue) around).function().apply(both.own()), both.ofPart());
        });
    }

    private static Blueprint withValues(Blueprint.Chain chain, int index, Blueprint part) {
        BiFunction<Object, Object, Object> combine = chain.combine();
        return index == 0
                ? new Blueprint.Chain(part, chain.second(), (values, second) -> {
                    Values both = (Values) values;
                    return new Values(combine.apply(both.own(), second), both.ofPart());
                })
                : new Blueprint.Chain(chain.first(), part, (first, values) -> {
                    Values both = (Values) values;
                    return new Values(combine.apply(first, both.own()), both.ofPart());
                });
    }

    /** The values of a composite are those of its parts in the order of the parts. */
    private static Blueprint withValues(Blueprint.Composite composite, int index, Blueprint part) {
        List<Blueprint> parts = new ArrayList<>(composite.parts());
        parts.set(index, part);
        List<Integer> valueParts = new ArrayList<>(composite.valueParts());
        boolean isOwnValue = valueParts.contains(index);
        if (!isOwnValue) {
            valueParts.add(index);
            Collections.sort(valueParts);
        }
        int at = valueParts.indexOf(index);
        return new Blueprint.Composite(
                parts, composite.wires(), composite.inlets(), composite.outlets(), valueParts, all -> {
                    Values both = (Values) all[at];
                    List<Object> own = new ArrayList<>(Arrays.asList(all));
                    if (isOwnValue) {
                        own.set(at, both.own());
                    } else {
                        own.remove(at);
                    }
                    return new Values(composite.combine().apply(own.toArray()), both.ofPart());
                });
    }
}
