package io.millrace.streams.engine.island;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.StageConsumer;

/** The logic of a stage at a boundary; it is called, by the stage as a signal, when something has happened there. */
public interface BoundarySide extends StageConsumer<NotUsed> {}
