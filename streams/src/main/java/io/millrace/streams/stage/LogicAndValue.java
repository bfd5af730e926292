package io.millrace.streams.stage;

/** What a stage makes for one run: its logic, and its materialized value. */
public record LogicAndValue<M>(GraphStageLogic logic, M value) {}
