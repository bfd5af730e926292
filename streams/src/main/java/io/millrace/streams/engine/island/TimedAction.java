package io.millrace.streams.engine.island;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.StageConsumer;

/** The key of a timer of the engine's own: the action is run instead of the stage's handler of timers. */
public record TimedAction(StageConsumer<NotUsed> action) {}
