package io.millrace.compatibility.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The one list of what differs on purpose. In its file, a line that begins with {@code #} is a reason; each line below it is a
 * scenario, a key and what Millrace tells, with bars between. What stands before the first reason is for readers.
 */
public record IntendedDifferences(List<Intended> entries) {
    private static final int PARTS = 3;

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or has a line without its three parts
     */
    public static IntendedDifferences read(Path file) throws IOException {
        List<Intended> entries = new ArrayList<>();
        String reason = "";
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("# ")) {
                reason = line.substring(2);
            } else if (!reason.isEmpty() && !line.isBlank()) {
                String[] parts = line.split(" \\| ", PARTS);
                if (parts.length < PARTS) {
                    throw new IOException(
                            file + " has a line that is not 'scenario | key | what Millrace tells': " + line);
                }
                entries.add(new Intended(parts[0], parts[1], parts[2], reason));
            }
        }
        return new IntendedDifferences(List.copyOf(entries));
    }

    /** Those that are about one of these scenarios at least. */
    public IntendedDifferences of(Collection<String> scenarios) {
        return new IntendedDifferences(entries.stream()
                .filter(entry -> scenarios.stream().anyMatch(entry::isOf))
                .toList());
    }

    /** The differences that nothing here covers. */
    public List<Difference> unlisted(List<Difference> differences) {
        return differences.stream()
                .filter(difference -> entries.stream().noneMatch(entry -> entry.covers(difference)))
                .toList();
    }

    /** The entries that cover none of these. */
    public List<Intended> unneeded(List<Difference> differences) {
        return entries.stream()
                .filter(entry -> differences.stream().noneMatch(entry::covers))
                .toList();
    }
}
