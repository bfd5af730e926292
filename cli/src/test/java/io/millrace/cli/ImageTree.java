package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The image's own files, laid out from the distribution, and commands run in them as in a container: at /pulsar, read-only
 * but for the data, in a mount namespace. Where the machine has none, /pulsar in a command is the folder.
 */
final class ImageTree {
    /** Shows what there is at the root, and the folder of the image at /pulsar; then runs the command that follows. */
    private static final String ENTER = """
            set -e
            mount -t tmpfs none "$1"
            for each in /*; do
              if [[ -L $each ]]; then
                cp -P "$each" "$1/"
              elif [[ -d $each ]]; then
                mkdir "$1$each"
                mount --rbind "$each" "$1$each"
              fi
            done
            mkdir "$1/pulsar"
            mount --bind "$2" "$1/pulsar"
            mount -o remount,bind,ro "$1/pulsar"
            mount -t tmpfs -o mode=1777 none "$1/pulsar/data"
            cp "$3" "$1/started.sh"
            chmod 755 "$1/started.sh"
            mount -o remount,ro "$1"
            root=$1
            shift 3
            exec chroot "$root" /bin/sh -c 'cd /pulsar && exec "$@"' sh "$@"
            """;

    private static final String VERSION = System.getProperty("millrace.version");

    private final Path folder;
    private final Path pulsar;
    private final boolean isMounted;

    private ImageTree(Path folder, Path pulsar, boolean isMounted) {
        this.folder = folder;
        this.pulsar = pulsar;
        this.isMounted = isMounted;
    }

    /** Unpacks the distribution under test in a folder, and lays the tree out there. */
    static ImageTree in(Path folder) throws Exception {
        Path distribution = distribution(folder);
        run(
                folder,
                distribution.resolve("container/assemble").toString(),
                folder.resolve("image").toString());
        Files.createDirectories(folder.resolve("root"));
        Files.writeString(folder.resolve("empty.sh"), "");
        Path pulsar = folder.resolve("image/pulsar");
        ImageTree mounted = new ImageTree(folder, pulsar, true);
        try (Run run = mounted.start(Map.of(), "test", "!", "-w", "/pulsar/bin/pulsar")) {
            boolean isMounted = !Files.exists(Path.of("/pulsar")) && run.exitCode() == 0;
            System.out.println("the image is " + (isMounted ? "mounted" : "a folder: " + run.out()));
            return new ImageTree(folder, pulsar, isMounted);
        }
    }

    /** Unpacks the distribution under test. */
    static Path distribution(Path folder) throws Exception {
        run(folder, "tar", "-xzf", System.getProperty("millrace.distribution"), "-C", folder.toString());
        return folder.resolve("millrace-" + VERSION);
    }

    private static void run(Path folder, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    }

    Path pulsar() {
        return pulsar;
    }

    /** Runs a command to its end. */
    Run run(Map<String, String> environment, String... command) throws IOException {
        Run run = start(environment, command);
        run.exitCode();
        return run;
    }

    /** Starts a command in /pulsar with an environment of its own, besides what finds Java and the jar under test. */
    Run start(Map<String, String> environment, String... command) throws IOException {
        return start(folder.resolve("empty.sh"), environment, command);
    }

    /** The same with a script that is copied to the root of the container, as /started.sh. */
    Run start(Path script, Map<String, String> environment, String... command) throws IOException {
        List<String> line = new ArrayList<>();
        if (isMounted) {
            boolean isRoot = System.getProperty("user.name").equals("root");
            line.addAll(List.of("unshare", "--mount"));
            line.addAll(isRoot ? List.of() : List.of("--user", "--map-root-user"));
            line.addAll(List.of("bash", "-c", ENTER, "enter"));
            line.addAll(List.of(folder.resolve("root").toString(), pulsar.toString(), script.toString()));
        }
        for (String word : command) {
            line.add(isMounted ? word : inFolder(word, script));
        }
        Path out = Files.createTempFile(folder, "out", ".txt");
        ProcessBuilder builder = Millrace.underTest(new ProcessBuilder(line))
                .directory(pulsar.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        if (!isMounted) {
            String data = Files.createTempDirectory(folder, "data").toString();
            builder.environment().putIfAbsent("MILLRACE_SETTING_DATA_FOLDER", data);
        }
        return new Run(builder.start(), out);
    }

    private String inFolder(String word, Path script) {
        return word.replace("/pulsar/", pulsar + "/").replace("/started.sh", script.toString());
    }

    /** A command that runs, or has run, in the image; ended by force when closed. */
    record Run(Process process, Path file) implements AutoCloseable {
        /** What it has printed, on stdout and stderr. */
        String out() throws IOException {
            return Files.readString(file);
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** SIGTERM, as docker stop sends it to the first process of a container; ends once all have ended. */
        int stop() throws Exception {
            List<ProcessHandle> below = process.descendants().toList();
            process.destroy();
            int code = exitCode();
            try {
                for (ProcessHandle each : below) {
                    each.onExit().get(60, TimeUnit.SECONDS);
                }
            } finally {
                below.forEach(ProcessHandle::destroyForcibly);
            }
            return code;
        }

        int exitCode() throws IOException {
            try {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(out()).isTrue();
                return process.exitValue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for a command", e);
            }
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
