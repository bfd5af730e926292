package io.millrace.streams.inspect;

import java.util.List;

/**
 * One island.
 *
 * @param state whether it is idle, scheduled, running or finished
 * @param activeStage the number of the stage whose handler was called last, or -1 before the first
 * @param stages its live stages
 * @param edges the edges between them
 */
public record IslandSnapshot(String state, int activeStage, List<StageSnapshot> stages, List<EdgeSnapshot> edges) {}
