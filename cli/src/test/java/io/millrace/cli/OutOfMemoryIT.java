package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap that is full ends the broker, also where no flag of Java says so: {@code java -jar}. */
final class OutOfMemoryIT {
    private static final int CONNECTIONS = 100;
    /** Of a frame that is announced to be a little larger, and never comes to its end. */
    private static final int UNFINISHED_BYTES = 4 << 20;

    private static final int OUT_OF_MEMORY = 3;
    private static final String READY = "millrace ready at ";

    @TempDir
    Path folder;

    @Test
    @Behaviour("PRO-13")
    void aFullHeapEndsTheProcessAndSaysWhoHeldWhat() throws Exception {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        Process broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        // What is gathered of a frame is on the heap then, and bounded by far more than the heap has.
                        "-XX:MaxDirectMemorySize=2g",
                        "-Dio.netty.noPreferDirect=true",
                        "-jar",
                        System.getProperty("millrace.jar"),
                        "serve",
                        "--port",
                        "0",
                        "--http-port",
                        "off",
                        "--data",
                        folder.resolve("data").toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            Await.until(
                    Duration.ofSeconds(60),
                    () -> text(out).startsWith(READY) && text(out).endsWith("\n"),
                    () -> "no ready line: " + text(err));
            int opened = fillUntilItEnds(broker, portOf(text(out)));
            assertThat(broker.waitFor(30, TimeUnit.SECONDS))
                    .as("the end of the process after " + opened + " connections; it says: " + text(err))
                    .isTrue();
            assertThat(broker.exitValue()).as(text(err)).isEqualTo(OUT_OF_MEMORY);
            assertThat(text(err))
                    .contains("out of memory, the broker ends at once")
                    .contains(" connections, ");
        } finally {
            broker.destroyForcibly();
        }
    }

    /** How many connections it took. */
    private static int fillUntilItEnds(Process broker, int port) throws IOException {
        List<SocketChannel> connections = new ArrayList<>();
        try {
            while (broker.isAlive() && connections.size() < CONNECTIONS) {
                SocketChannel connection =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                connections.add(connection);
                ByteBuffer frame = ByteBuffer.allocate(UNFINISHED_BYTES).putInt(0, UNFINISHED_BYTES);
                while (frame.hasRemaining()) {
                    connection.write(frame);
                }
            }
        } catch (IOException refused) {
            assertThat(refused).as("the broker has ended meanwhile").isNotNull();
        } finally {
            for (SocketChannel connection : connections) {
                connection.close();
            }
        }
        return connections.size();
    }

    private static int portOf(String ready) {
        return Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1).strip());
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
