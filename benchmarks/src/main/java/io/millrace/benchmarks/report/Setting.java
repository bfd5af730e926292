package io.millrace.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where and how thoroughly a benchmark runs: the repository's folder, whether a rough answer will do, and a folder on
 * the disk that ours and the peers share.
 */
public record Setting(Path home, boolean quick, Path data) {
    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs");

    public Setting {
        home = home.toAbsolutePath().normalize();
        data = data.toAbsolutePath().normalize();
    }

    /** One number for a thorough run and a smaller one for a quick one. */
    public int count(int thorough, int whenQuick) {
        return quick ? whenQuick : thorough;
    }

    /**
     * An empty folder of this name under the data folder, on a disk at rest: what earlier runs left to be written is
     * written first. Refuses a file system in memory, whose force costs nothing.
     */
    public Path emptyFolder(String name) throws IOException, InterruptedException {
        Path folder = data.resolve(name);
        delete(folder);
        Files.createDirectories(folder);
        String type = Files.getFileStore(folder).type();
        if (MEMORY_FILE_SYSTEMS.contains(type)) {
            throw new IOException(
                    data + " is on " + type + ", where a force costs nothing: name a disk with --data DIR");
        }
        if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
            throw new IOException("sync failed, so the disk may still be busy with an earlier run");
        }
        return folder;
    }

    /** Removes a folder and all it holds. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(folder)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
