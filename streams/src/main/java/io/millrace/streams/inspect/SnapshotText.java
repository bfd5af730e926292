package io.millrace.streams.inspect;

import java.util.Locale;

/** Draws a stream as lines of text. */
final class SnapshotText {
    private SnapshotText() {}

    static String of(StreamSnapshot stream) {
        StringBuilder text = new StringBuilder();
        text.append("stream ")
                .append(stream.name())
                .append('#')
                .append(stream.id())
                .append('\n');
        for (int i = 0; i < stream.islands().size(); i++) {
            island(text, i, stream.islands().get(i));
        }
        stream.edgesOfStages().forEach(edge -> edge(text, edge));
        return text.toString();
    }

    private static void island(StringBuilder text, int number, IslandSnapshot island) {
        text.append("  island ")
                .append(number)
                .append(", ")
                .append(island.state())
                .append('\n');
        for (StageSnapshot stage : island.stages()) {
            if (!stage.isBoundary()) {
                text.append("    [").append(stage.index()).append("] ").append(stage.name());
                stage.detail()
                        .forEach((what, value) ->
                                text.append(", ").append(what).append(' ').append(value));
                text.append('\n');
            }
        }
    }

    private static void edge(StringBuilder text, EdgeSnapshot edge) {
        text.append("  [")
                .append(edge.fromStage())
                .append("] -> [")
                .append(edge.toStage())
                .append("] ");
        text.append(edge.elementCount()).append(edge.elementCount() == 1 ? " element, " : " elements, ");
        text.append(words(edge.state())).append('\n');
    }

    static String words(EdgeSnapshot.State state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
