package io.millrace.streams.inspect;

import java.util.List;

/** Draws streams as a graph in the language of Graphviz: a cluster for each island, an arrow for each edge. */
final class SnapshotDot {
    private final StringBuilder dot = new StringBuilder();

    private SnapshotDot() {}

    static String of(List<StreamSnapshot> streams) {
        SnapshotDot drawing = new SnapshotDot();
        drawing.dot.append("digraph millrace {\n  rankdir=LR;\n  node [shape=box];\n");
        streams.forEach(drawing::stream);
        return drawing.dot.append("}\n").toString();
    }

    private void stream(StreamSnapshot stream) {
        for (int i = 0; i < stream.islands().size(); i++) {
            IslandSnapshot island = stream.islands().get(i);
            String label = stream.name() + "#" + stream.id() + ", island " + i + ", " + island.state();
            dot.append("  subgraph cluster_").append(stream.id()).append('_').append(i);
            dot.append(" {\n    label=").append(quoted(label)).append(";\n");
            island.stages().stream().filter(stage -> !stage.isBoundary()).forEach(stage -> stage(stream, stage));
            dot.append("  }\n");
        }
        stream.edgesOfStages().forEach(edge -> edge(stream, edge));
    }

    private void stage(StreamSnapshot stream, StageSnapshot stage) {
        dot.append("    ").append(node(stream, stage.index()));
        dot.append(" [label=").append(quoted(stage.name())).append("];\n");
    }

    private void edge(StreamSnapshot stream, EdgeSnapshot edge) {
        boolean across = stream.boundaries().contains(edge);
        dot.append("  ").append(node(stream, edge.fromStage()));
        dot.append(" -> ").append(node(stream, edge.toStage()));
        dot.append(" [label=").append(quoted(String.valueOf(edge.elementCount())));
        dot.append(", color=").append(color(edge.state())).append(across ? ", style=dashed" : "");
        dot.append(", tooltip=")
                .append(quoted(SnapshotText.words(edge.state())))
                .append("];\n");
    }

    private static String color(EdgeSnapshot.State state) {
        return switch (state) {
            case WAITING_FOR_DEMAND -> "red";
            case WAITING_FOR_ELEMENT -> "blue";
            case IN_FLIGHT -> "black";
            case CLOSED -> "gray";
        };
    }

    private static String node(StreamSnapshot stream, int stage) {
        return "s" + stream.id() + "_" + stage;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
