package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StdoutTest {
    @Test
    void whatIsNotPrintedToATerminalIsUtf8WhateverTheLocale() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder =
                new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Printing.class.getName());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        byte[] printed = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        assertThat(new String(printed, StandardCharsets.UTF_8)).isEqualTo(Printing.TEXT);
    }

    /** A program of its own, as its locale is that of a process. */
    static final class Printing {
        private static final String TEXT = "zwölf €";

        private Printing() {}

        public static void main(String[] arguments) {
            PrintWriter out = new Stdout().writer();
            out.print(TEXT);
            out.flush();
        }
    }
}
