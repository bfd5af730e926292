// Rendered by bin/render-fluent from FlowControl.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.inspect.Monitor;
import io.millrace.streams.operator.elements.LogStage;
import io.millrace.streams.operator.elements.MonitorStage;
import io.millrace.streams.operator.elements.WatchTerminationStage;
import io.millrace.streams.schedule.Scheduler;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The operators of a {@link Source} for watching and steering a stream. */
abstract class SourceControl<O, M> extends SourceSubstreams<O, M> {
    SourceControl(Blueprint blueprint) {
        super(blueprint);
    }

    /** Gives back a future of how the stream ends here; the function makes the value from both. */
    public <M2> Source<O, M2> watchTermination(
            BiFunction<? super M, ? super CompletionStage<Done>, ? extends M2> combine) {
        return viaMat(new WatchTerminationStage<O>(), combine);
    }

    /** Gives back a handle that shows what has gone through here; the function makes the value from both. */
    public <M2> Source<O, M2> monitor(BiFunction<? super M, ? super Monitor<O>, ? extends M2> combine) {
        return viaMat(new MonitorStage<O>(), combine);
    }

    /** Gives back a switch that ends the stream here; the function makes the value from both. */
    public <M2> Source<O, M2> killSwitch(BiFunction<? super M, ? super UniqueKillSwitch, ? extends M2> combine) {
        return viaMat(KillSwitches.<O>single(), combine);
    }

    /** Logs elements, the end and failures under a name, as {@link LogSettings#defaults} says. */
    public Source<O, M> log(String name) {
        return log(name, LogSettings.defaults());
    }

    /** Logs elements, the end and failures under a name. */
    public Source<O, M> log(String name, LogSettings settings) {
        return via(new LogStage<O>(name, settings));
    }

    /** Failures of everything so far are reported with this description of the place that they did not get to. */
    public Source<O, M> checkpoint(String description) {
        return withAttributes(Attributes.of(new Attributes.Checkpoint(description)));
    }

    /**
     * Drops the element when a function given to an operator so far throws, as {@link Supervision#resume} does, and tells
     * the consumer, on whatever thread it happened.
     */
    public Source<O, M> onErrorContinue(Consumer<? super Throwable> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return withAttributes(Attributes.supervision(failure -> {
            consumer.accept(failure);
            return Supervision.Directive.RESUME;
        }));
    }

    /** Everything so far runs as an island of its own. */
    public Source<O, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** Everything so far runs as an island of its own on a worker of this scheduler. */
    public Source<O, M> async(Scheduler scheduler) {
        return withAttributes(Attributes.dispatcher(scheduler));
    }

    /** The same under a name, which stands in the path of its operators. */
    public Source<O, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same with these attributes added to everything so far. */
    public abstract Source<O, M> withAttributes(Attributes attributes);

    /** Passes the elements through a flow; the function makes the value from both. */
    public abstract <P, M2, M3> Source<P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow, BiFunction<? super M, ? super M2, ? extends M3> combine);

    /**
     * Does what the operator does with a flow and this part, such as {@code Flow::alsoTo} with a sink or {@code Flow::merge} with a
     * source; the function makes the value from this one and the part's. The flow lets everything through and stands for this.
     *
     * @throws IllegalArgumentException when the operator does not put the part into its graph, or does so twice
     */
    public <S extends Shape, P, M2, M3> Source<P, M3> viaMat(
            Graph<S, M2> part,
            BiFunction<
                            ? super Flow<O, O, NotUsed>,
                            ? super Graph<S, M2>,
                            ? extends Graph<? extends FlowShape<? super O, P>, ?>>
                    operator,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return viaMat(PartValue.<O, S, P, M2>of(part, operator), combine);
    }
}
