package io.millrace.compatibility.language;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A process of another language that does one thing after the other. Any thread calls it; one waits for the other. */
public final class Speaker implements AutoCloseable {
    private final Process process;
    private final Writer asked;
    private final BufferedReader answers;

    Speaker(Process process) {
        this.process = process;
        asked = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Has it publish, consume, read or view a value of a kind of schema, and returns what it says of it: {@code ok} and JSON, or
     * {@code failed} and the class of the failure.
     *
     * @throws IOException if the process has ended
     */
    public synchronized String ask(String verb, String kind, String topic) throws IOException {
        asked.write(verb + " " + kind + " " + topic + "\n");
        asked.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process ended when it was asked to " + verb + " " + kind);
        }
        return answer;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
