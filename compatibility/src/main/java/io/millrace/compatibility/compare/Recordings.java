package io.millrace.compatibility.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of recorded transcripts: a text file for each theme. {@code = name} begins a scenario, each other line is a key, a
 * colon and a value.
 */
public record Recordings(Path folder) {
    private static final String SCENARIO = "= ";
    private static final String VALUE = ": ";
    private static final String SUFFIX = ".txt";

    /**
     * The transcripts of a theme; none if there is no such file.
     *
     * @throws IOException if the file cannot be read, or has a line that is neither
     */
    public Map<String, Map<String, String>> read(String theme) throws IOException {
        Path file = file(theme);
        return parse(file, Files.exists(file) ? Files.readAllLines(file) : List.of());
    }

    /**
     * The transcripts in lines of such a file.
     *
     * @throws IOException if there is a line that is neither
     */
    public static Map<String, Map<String, String>> parse(Path file, List<String> lines) throws IOException {
        Map<String, Map<String, String>> transcripts = new LinkedHashMap<>();
        Map<String, String> current = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(VALUE);
            if (line.startsWith(SCENARIO)) {
                current = new LinkedHashMap<>();
                transcripts.put(line.substring(SCENARIO.length()), current);
            } else if (colon > 0 || line.endsWith(":")) {
                current.put(
                        colon > 0 ? line.substring(0, colon) : line.substring(0, line.length() - 1),
                        colon > 0 ? line.substring(colon + VALUE.length()) : "");
            } else if (!line.isBlank()) {
                throw new IOException(file + " has a line that is neither '= scenario' nor 'key: value': " + line);
            }
        }
        return transcripts;
    }

    /** Writes the file of a theme. */
    public void write(String theme, Map<String, Map<String, String>> transcripts) throws IOException {
        StringBuilder text = new StringBuilder();
        transcripts.forEach((scenario, lines) -> {
            text.append(text.isEmpty() ? "" : "\n")
                    .append(SCENARIO)
                    .append(scenario)
                    .append('\n');
            lines.forEach((key, value) ->
                    text.append((key + VALUE + value).stripTrailing()).append('\n'));
        });
        Files.createDirectories(folder);
        Files.writeString(file(theme), text);
    }

    /** The themes that have a file. */
    public List<String> themes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    private Path file(String theme) {
        return folder.resolve(theme + SUFFIX);
    }
}
