package io.millrace.compatibility.language;

import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.scenario.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The programs of other languages, as processes. What they complain of stands in {@code target/LANGUAGE-scenarios.log}. */
public record LanguagePrograms(Path module) {
    private static final long PATIENCE_MINUTES = 20;
    private static final int RADIX = 36;

    /**
     * Installs what they need below {@code target}, from PyPI and Go's proxy; seconds if it is there already.
     *
     * @throws IOException if that fails, or Python or Go is not installed; its message says what to install
     */
    public void install() throws IOException, InterruptedException {
        Path log = module.resolve("target/install.log");
        Files.createDirectories(module.resolve("target"));
        String command = module.resolve("clients/install").toString();
        int exit = run(new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD), log);
        if (exit != 0) {
            throw new IOException(command + " failed: " + Files.readString(log).strip());
        }
    }

    /**
     * Runs the scenarios of a language whose names begin so, and returns what they told.
     *
     * @throws IOException if the program fails as a whole
     */
    public Map<String, Map<String, String>> told(Language language, Target target, String only)
            throws IOException, InterruptedException {
        Path told = module.resolve("target/" + language.prefix() + "-scenarios.txt");
        Path log = module.resolve("target/" + language.prefix() + "-scenarios.log");
        List<String> command = new ArrayList<>(language.command(module));
        command.add(target.serviceUrl());
        command.add(target.adminUrl());
        command.add(language.prefix() + Long.toString(System.currentTimeMillis(), RADIX));
        command.add(only);
        int exit = run(process(command).redirectOutput(told.toFile()), log);
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + exit + ", see " + log);
        }
        return Recordings.parse(told, Files.readAllLines(told));
    }

    /** A process that publishes and consumes when told to. */
    public Speaker speaker(Language language, Target target) throws IOException {
        List<String> command = new ArrayList<>(language.command(module));
        command.add("speak");
        command.add(target.serviceUrl());
        File log =
                module.resolve("target/" + language.prefix() + "-speaker.log").toFile();
        return new Speaker(process(command).redirectError(log).start());
    }

    private static ProcessBuilder process(List<String> command) {
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put("PYTHONIOENCODING", "utf-8");
        return process;
    }

    private static int run(ProcessBuilder builder, Path log) throws IOException, InterruptedException {
        Process process = builder.redirectError(log.toFile()).start();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException(
                        String.join(" ", builder.command()) + " has not ended in " + PATIENCE_MINUTES + " minutes");
            }
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
