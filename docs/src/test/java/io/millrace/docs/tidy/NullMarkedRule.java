package io.millrace.docs.tidy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Every main package has a package-info that is {@code @NullMarked}. */
final class NullMarkedRule {
    List<Finding> check(List<JavaSource> sources) {
        Set<String> marked = sources.stream()
                .filter(source -> source.file().path().endsWith("/package-info.java"))
                .filter(source -> source.code().contains("@NullMarked"))
                .map(NullMarkedRule::folder)
                .collect(Collectors.toSet());
        return sources.stream()
                .filter(source -> source.file().isMain())
                .filter(source -> !source.file().path().endsWith("module-info.java"))
                .map(NullMarkedRule::folder)
                .distinct()
                .filter(folder -> !marked.contains(folder))
                .map(folder -> new Finding(folder, 1, "package-info.java", "missing, or not @NullMarked"))
                .toList();
    }

    private static String folder(JavaSource source) {
        String path = source.file().path();
        return path.substring(0, path.lastIndexOf('/'));
    }
}
