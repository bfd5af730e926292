package io.millrace.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a figure depends on besides the code: JDK, cores, processor, system; and the commit. */
final class Machine {
    private Machine() {}

    static Map<String, Object> describe(Path home) throws IOException {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("jdk", Runtime.version().toString());
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("processor", processor());
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("commit", commit(home));
        return machine;
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    private static String commit(Path home) throws IOException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
                .directory(home.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return answer.isEmpty() ? "unknown" : answer;
    }
}
