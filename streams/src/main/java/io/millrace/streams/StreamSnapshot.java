package io.millrace.streams;

import java.util.List;

/** One run of a graph: its name, its number in the runtime, and its islands. */
public record StreamSnapshot(String name, long id, List<IslandSnapshot> islands) {}
