package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Setting;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A broker that can be started as a process of its own: ours or the peer. */
interface BrokerProgram {
    int FIRST_PORT = 15_000;
    int LAST_PORT = 32_000;

    /** As it stands in a ratio line. */
    String name();

    /** Downloads and builds what a start needs, so that no start is timed with it. */
    void prepare() throws IOException, InterruptedException;

    /** Executes it on a free loopback port over this data folder; returns at once, ready or not. */
    RunningBroker start(Path data, Jdk jdk) throws IOException;

    /**
     * A port of the loopback address that is free now. It lies below the range that the system picks source ports
     * from: a client that keeps trying a port of that range ends up connected to itself, and holds the port.
     */
    static int freePort() throws IOException {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IOException("No free port from " + FIRST_PORT + " to " + LAST_PORT);
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }

    /** The real Pulsar standalone of benchmarks/peers, with fsync on. */
    record Pulsar(Setting setting) implements BrokerProgram {
        @Override
        public String name() {
            return "pulsar";
        }

        @Override
        public void prepare() throws IOException, InterruptedException {
            Process prepare = script("prepare").inheritIO().start();
            if (prepare.waitFor() != 0) {
                throw new IOException(
                        "Pulsar could not be resolved: " + script("prepare").command());
            }
        }

        @Override
        public RunningBroker start(Path data, Jdk jdk) throws IOException {
            RunningBroker.Ports ports = RunningBroker.Ports.free();
            ProcessBuilder script = script("run");
            script.environment()
                    .putAll(Map.of(
                            "DATA", data.toString(),
                            "PORT", String.valueOf(ports.binary()),
                            "WEB_PORT", String.valueOf(ports.http()),
                            "BOOKIE_PORT", String.valueOf(freePort()),
                            "JAVA", jdk.java()));
            return RunningBroker.start(script, ports, data);
        }

        private ProcessBuilder script(String verb) {
            Path peer = setting.home().resolve("benchmarks/peers/pulsar-standalone/start.sh");
            ProcessBuilder script = new ProcessBuilder(peer.toString(), verb);
            script.environment()
                    .put(
                            "WORK",
                            setting.home()
                                    .resolve("benchmarks/target/pulsar-standalone")
                                    .toString());
            return script;
        }
    }

    /** Ours, by the command that a user types. */
    record Millrace(Setting setting) implements BrokerProgram {
        @Override
        public String name() {
            return "ours";
        }

        @Override
        public void prepare() throws IOException, InterruptedException {
            Process help = new ProcessBuilder(program(), "--help")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (help.waitFor() != 0) {
                throw new IOException(program() + " --help failed");
            }
        }

        @Override
        public RunningBroker start(Path data, Jdk jdk) throws IOException {
            RunningBroker.Ports ports = RunningBroker.Ports.free();
            Path log = Files.createDirectories(data);
            ProcessBuilder command = new ProcessBuilder(
                    program(),
                    "serve",
                    "--port",
                    String.valueOf(ports.binary()),
                    "--http-port",
                    String.valueOf(ports.http()),
                    "--data",
                    data.resolve("broker").toString());
            command.environment().put("JAVA_HOME", jdk.home().toString());
            command.environment().merge("PATH", jdk.home().resolve("bin").toString(), (path, bin) -> bin + ":" + path);
            return RunningBroker.start(command, ports, log);
        }

        private String program() {
            return setting.home().resolve("bin/millrace").toString();
        }
    }
}
