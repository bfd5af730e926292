package io.millrace.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;

/** A broker in a process of its own, on one folder and one port, that can be killed and started again. */
final class ServedBroker implements AutoCloseable {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final String READY = "millrace ready at ";

    private final Path folder;
    private final int port;
    private Millrace process;

    private ServedBroker(Path folder, int port) throws Exception {
        this.folder = folder;
        this.port = port;
        this.process = serve();
    }

    /** Starts a broker on {@code folder/data} and a free port and waits until it is ready. */
    static ServedBroker start(Path folder) throws Exception {
        return new ServedBroker(folder, freePort());
    }

    int port() {
        return port;
    }

    String url() {
        return "pulsar://127.0.0.1:" + port;
    }

    Path dataFolder() {
        return folder.resolve("data");
    }

    Millrace process() {
        return process;
    }

    void kill() {
        process.kill();
    }

    /** Starts it again after its end, and returns how long it took until ready. */
    Duration restart() throws Exception {
        long startNanos = System.nanoTime();
        process = serve();
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @Override
    public void close() {
        process.close();
    }

    private Millrace serve() throws Exception {
        Millrace serve = Millrace.start(
                folder,
                "serve",
                "--port",
                Integer.toString(port),
                "--http-port",
                "off",
                "--data",
                dataFolder().toString());
        try {
            Await.until(
                    READY_LIMIT,
                    () -> (serve.out().startsWith(READY) && serve.out().endsWith("\n")) || !serve.isAlive(),
                    () -> "no ready line; stderr: " + serve.err());
            if (!serve.isAlive()) {
                throw new AssertionError("the broker ended; stderr: " + serve.err());
            }
            return serve;
        } catch (Throwable e) {
            serve.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
