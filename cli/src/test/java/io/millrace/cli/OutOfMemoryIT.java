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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A heap that is full ends the broker, by the launcher and by {@code java -jar}. */
final class OutOfMemoryIT {
    private static final int CONNECTIONS = 100;
    /** Of a frame that is announced to be a little larger, and never comes to its end. */
    private static final int UNFINISHED_BYTES = 4 << 20;

    /** What is gathered of a frame is on the heap then, and bounded by far more than the heap has. */
    private static final List<String> SMALL_HEAP =
            List.of("-Xmx24m", "-XX:MaxDirectMemorySize=2g", "-Dio.netty.noPreferDirect=true");

    private static final int OUT_OF_MEMORY = 3;
    private static final String READY = "millrace ready at ";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Behaviour("PRO-13")
    void aFullHeapEndsTheProcessAndSaysWhoHeldWhat(boolean byLauncher) throws Exception {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        Process broker = (byLauncher ? launcher() : java())
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

    private ProcessBuilder java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_HEAP);
        command.addAll(List.of("-jar", System.getProperty("millrace.jar")));
        return serving(command);
    }

    private ProcessBuilder launcher() {
        ProcessBuilder builder =
                Millrace.underTest(serving(new ArrayList<>(List.of(System.getProperty("millrace.launcher")))));
        builder.environment().put("JAVA_OPTS", String.join(" ", SMALL_HEAP));
        return builder;
    }

    private ProcessBuilder serving(List<String> command) {
        String data = folder.resolve("data").toString();
        command.addAll(List.of("serve", "--port", "0", "--http-port", "off", "--data", data));
        return new ProcessBuilder(command);
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
