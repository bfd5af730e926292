package io.millrace.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder with a tree in it that is too deep for any path, so that who deletes it fails until this is closed. */
record UndeletableFolder(Path folder, Path upper, Path lower) implements AutoCloseable {
    private static final int LEVELS = 12;
    private static final String LEVEL = "d".repeat(250);

    /** Each half has a path that the system takes; the lower one, moved below the upper one, does not. */
    static UndeletableFolder in(Path folder) throws IOException {
        UndeletableFolder made = new UndeletableFolder(
                folder, chain(folder.resolve("upper")), folder.resolveSibling(folder.getFileName() + "-lower"));
        chain(made.lower);
        Files.move(made.lower, made.upper.resolve("lower"));
        return made;
    }

    private static Path chain(Path top) throws IOException {
        Path bottom = top;
        for (int i = 0; i < LEVELS; i++) {
            bottom = bottom.resolve(LEVEL);
        }
        return Files.createDirectories(bottom);
    }

    /** Deletes it. */
    @Override
    public void close() throws IOException {
        Files.move(upper.resolve("lower"), lower);
        for (Path tree : List.of(lower, folder)) {
            try (Stream<Path> paths = Files.walk(tree)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
