package io.millrace.cli;

import java.nio.file.Path;
import java.time.Duration;

/** A broker in a process of its own, on one folder and one port, that can be killed and started again. */
final class ServedBroker implements AutoCloseable {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final String READY = "millrace ready at ";

    private final Path folder;
    private final int port;
    private Millrace process;

    private ServedBroker(Path folder) throws Exception {
        this.folder = folder;
        this.process = serve(0);
        String ready = process.out();
        this.port = Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1).strip());
    }

    /** Starts a broker on {@code folder/data} and a free port and waits until it is ready. */
    static ServedBroker start(Path folder) throws Exception {
        return new ServedBroker(folder);
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

    /** Starts it again after its end, and returns how long it took until ready; where others use the processors meanwhile, what it used of them. */
    Duration restart() throws Exception {
        long startNanos = System.nanoTime();
        process = serve(port);
        Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
        Duration used = ProcessHandle.of(process.pid())
                .flatMap(running -> running.info().totalCpuDuration())
                .orElse(passed);
        Duration waited = passed.dividedBy(10); // more than that no busy machine makes of it
        Duration least = used.compareTo(waited) < 0 ? waited : used;
        return least.compareTo(passed) < 0 ? least : passed;
    }

    @Override
    public void close() {
        process.close();
    }

    private Millrace serve(int onPort) throws Exception {
        Millrace serve = Millrace.start(
                folder,
                "serve",
                "--port",
                Integer.toString(onPort),
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
}
