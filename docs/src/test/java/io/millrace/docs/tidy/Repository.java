package io.millrace.docs.tidy;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The text files of this repository, without what the build makes. */
public record Repository(Path root, List<TextFile> files) {
    private static final Set<String> SKIPPED_FOLDERS = Set.of(".git", ".idea", "target", "results", "data");

    /** Reads the repository around the working folder. */
    public static Repository open() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(".mvn")) || !Files.exists(root.resolve("streams"))) {
            root = Optional.ofNullable(root.getParent())
                    .orElseThrow(() -> new IOException("No .mvn folder beside streams above the working folder."));
        }
        return read(root);
    }

    /** Reads the tree under a folder. */
    public static Repository read(Path root) throws IOException {
        List<TextFile> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean skipped = !folder.equals(root)
                        && SKIPPED_FOLDERS.contains(folder.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !file.endsWith(".git")) {
                    textOf(file)
                            .ifPresent(text -> files.add(new TextFile(
                                    root.relativize(file).toString().replace('\\', '/'), text)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return new Repository(root, List.copyOf(files));
    }

    /** The files that are Java. */
    public List<JavaSource> javaSources() {
        return JavaSource.parseAll(files.stream().filter(TextFile::isJava).toList());
    }

    public boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    private static Optional<String> textOf(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (MalformedInputException binary) {
            return Optional.empty();
        }
    }
}
