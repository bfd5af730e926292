package io.millrace.cli;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The process's standard output, which remembers what it could not write, for writers that swallow that; for one thread. */
final class Stdout extends OutputStream {
    private final OutputStream file = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    /** Whoever prints to this writer has to flush it, too. */
    PrintWriter writer() {
        return new PrintWriter(this, false, charset());
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            file.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** The exit code of a command that ends with this one: another for one that did all it should, but what it printed did not arrive. */
    int exitCode(int otherwise) {
        return failure == null || otherwise != ExitCode.OK ? otherwise : exitCode(failure);
    }

    /** The exit code of who could not write for this reason; told, unless it is that nobody reads any more. */
    static int exitCode(IOException failure) {
        if (CommandFailure.reason(failure).contains("Broken pipe")) {
            return ExitCode.BROKEN_PIPE;
        }
        throw new CommandFailure("cannot write to stdout: " + CommandFailure.reason(failure), failure);
    }

    /** That of a terminal; without one UTF-8, whatever the locale: what is printed may be read by a program. */
    private static Charset charset() {
        String name = System.getProperty("sun.stdout.encoding");
        return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
    }
}
