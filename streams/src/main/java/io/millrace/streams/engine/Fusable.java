package io.millrace.streams.engine;

/** A stage that can be part of a segment. */
public sealed interface Fusable {
    /** The name in paths and snapshots. */
    String name();

    /** A stage that is one step. */
    non-sealed interface ByStep extends Fusable {
        Step<?> step();
    }

    /** A stage that ends a segment. */
    non-sealed interface ByTerminal extends Fusable {
        Terminal<?> terminal();
    }

    /** A stage that begins a segment out of nothing. */
    non-sealed interface ByOrigin extends Fusable {
        Origin origin();
    }

    /** A stage that begins a segment at an inlet. */
    non-sealed interface ByExpansion extends Fusable {
        Expansion<?> expansion();
    }
}
