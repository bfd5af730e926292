package io.millrace.streams.inspect;

import java.util.List;
import java.util.stream.Stream;

/**
 * One run of a graph.
 *
 * @param name the name of the stream
 * @param id its number in the runtime
 * @param islands its islands
 * @param boundaries the edges between islands; a signal in flight there is an element that waits in the buffer
 */
public record StreamSnapshot(String name, long id, List<IslandSnapshot> islands, List<EdgeSnapshot> boundaries) {
    /** The stream as lines of text: islands, stages, edges. */
    public String toText() {
        return SnapshotText.of(this);
    }

    /** The stream as a graph for Graphviz. */
    public String toDot() {
        return SnapshotDot.of(List.of(this));
    }

    /** The edges between stages, inside islands and between them, without those at the ends of boundaries. */
    Stream<EdgeSnapshot> edgesOfStages() {
        List<Integer> ends = islands.stream()
                .flatMap(island -> island.stages().stream())
                .filter(StageSnapshot::isBoundary)
                .map(StageSnapshot::index)
                .toList();
        Stream<EdgeSnapshot> inside = islands.stream()
                .flatMap(island -> island.edges().stream())
                .filter(edge -> edge.fromStage() != edge.toStage())
                .filter(edge -> !ends.contains(edge.fromStage()) && !ends.contains(edge.toStage()));
        return Stream.concat(inside, boundaries.stream());
    }
}
