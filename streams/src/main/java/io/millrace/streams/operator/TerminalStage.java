package io.millrace.streams.operator;

import io.millrace.streams.Inlet;
import io.millrace.streams.SinkShape;
import io.millrace.streams.engine.Fusable;
import io.millrace.streams.engine.Terminal;
import java.util.concurrent.CompletionStage;

/** A sink that takes every element as it comes and gives back a future of its result. */
abstract class TerminalStage<I, R> extends SynchronousStage<SinkShape<I>, CompletionStage<R>>
        implements Fusable.ByTerminal {
    private final Terminal<I> terminal;

    TerminalStage(String name, Terminal<I> terminal) {
        super(name);
        this.terminal = terminal;
    }

    @Override
    public final Terminal<I> terminal() {
        return terminal;
    }

    @Override
    final SinkShape<I> newShape(String operatorName) {
        return SinkShape.of(Inlet.create(operatorName + ".in"));
    }
}
