package io.millrace.broker.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker in a JVM with little heap, which ends at once when it runs out of it. */
final class BrokerProcess implements AutoCloseable {
    static final int HEAP_MEGABYTES = 64;
    private static final Pattern USE = Pattern.compile("^(\\d+) .* (\\d+) of \\d+ MiB that clients may hold");
    private static final int LOG_CHARS = 20_000;

    private final Process process;
    private final Path log;
    private final BufferedReader answers;
    private final OutputStream questions;
    private final int port;

    /** What is reachable in its heap, and what it counts as held for clients. */
    record Use(long liveHeapBytes, long heldMebibytes) {}

    BrokerProcess(Path folder) throws IOException {
        log = folder.resolve("broker.log");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MEGABYTES + "m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerProgram.class.getName(),
                        folder.resolve("data").toString())
                .redirectError(log.toFile())
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        questions = process.getOutputStream();
        port = Integer.parseInt(answer());
    }

    int port() {
        return port;
    }

    /** What is reachable in its heap. */
    long liveHeapBytes() throws IOException {
        return use().liveHeapBytes();
    }

    /** What is reachable without the topics whose names begin so, which are deleted. */
    long liveHeapBytesWithout(String topics) throws IOException {
        return use(topics).liveHeapBytes();
    }

    Use use() throws IOException {
        return use("");
    }

    private Use use(String topics) throws IOException {
        try {
            questions.write((topics + "\n").getBytes(StandardCharsets.UTF_8));
            questions.flush();
        } catch (IOException gone) {
            throw new AssertionError("the broker is gone: " + log(), gone);
        }
        Matcher answer = USE.matcher(answer());
        if (!answer.find()) {
            throw new AssertionError("the broker does not say what it uses: " + log());
        }
        return new Use(Long.parseLong(answer.group(1)), Long.parseLong(answer.group(2)));
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new AssertionError("the broker has ended: " + log());
        }
        return line;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The end of what it has logged. */
    String log() throws IOException {
        String text = Files.readString(log);
        return text.substring(Math.max(0, text.length() - LOG_CHARS));
    }

    @Override
    public void close() throws IOException {
        questions.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(); // nothing writes to its folder after this
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
