package io.millrace.streams;

import java.util.List;

/** One island: whether it is idle, scheduled, running or finished, its live stages, and the edges between them. */
public record IslandSnapshot(String state, List<StageSnapshot> stages, List<EdgeSnapshot> edges) {}
