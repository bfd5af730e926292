package io.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An installed JDK: its feature version and its home. */
record Jdk(int version, Path home) {
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

    /** The one that runs this program. */
    static Jdk running() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /** The running one first, then one of each other version from 17 on that the system's folder holds. */
    static List<Jdk> installed() throws IOException {
        Map<Integer, Jdk> others = new TreeMap<>();
        Path folder = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(folder)) {
            try (Stream<Path> homes = Files.list(folder)) {
                for (Path home : homes.sorted().toList()) {
                    at(home).ifPresent(jdk -> others.putIfAbsent(jdk.version(), jdk));
                }
            }
        }
        Jdk running = running();
        List<Jdk> found = new ArrayList<>(List.of(running));
        others.values().stream()
                .filter(jdk -> jdk.version() >= 17 && jdk.version() != running.version())
                .forEach(found::add);
        return found;
    }

    /** The path of its java program. */
    String java() {
        return home.resolve("bin/java").toString();
    }

    private static Optional<Jdk> at(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.exists(release)) {
            return Optional.empty();
        }
        Matcher version = VERSION.matcher(Files.readString(release));
        return version.find() ? Optional.of(new Jdk(Integer.parseInt(version.group(1)), home)) : Optional.empty();
    }
}
