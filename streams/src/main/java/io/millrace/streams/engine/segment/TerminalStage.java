package io.millrace.streams.engine.segment;

import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import java.util.concurrent.CompletionStage;

/** A sink that takes every element as it comes and gives back a future of its result: it ends a segment. */
public abstract non-sealed class TerminalStage<I, R> extends SynchronousStage<SinkShape<I>, CompletionStage<R>> {
    private final Terminal<I> terminal;

    protected TerminalStage(String name, Terminal<I> terminal) {
        super(name);
        this.terminal = terminal;
    }

    final Terminal<I> terminal() {
        return terminal;
    }

    /** A hash of the classes that it is made of, as far as is at hand. */
    public final int kindHash() {
        return terminal.function().getClass().hashCode();
    }

    @Override
    final SinkShape<I> newShape(String operatorName) {
        return SinkShape.of(Inlet.create(operatorName + ".in"));
    }
}
