package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;

/**
 * Ten thousand topics of one message: the disk they take, and after a kill the time from exec until one of them takes
 * a message again. Every message is then read back.
 */
public final class ManyTopicsBenchmark implements Benchmark {
    private static final int AT_ONCE = 50;

    @Override
    public String name() {
        return "many-topics";
    }

    @Override
    public String summary() {
        return "10 000 topics of one message: disk used, open files, recovery after a kill, beside Pulsar";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Medians medians = new Medians();
        int topics = setting.count(10_000, 500);
        for (BrokerProgram program : List.of(new BrokerProgram.Millrace(setting), new BrokerProgram.Pulsar(setting))) {
            program.prepare();
            sample(program, setting, topics, medians);
            report.progress("%s: %d topics filled, recovered and read back", program.name(), topics);
        }
        medians.report(report);
    }

    private static void sample(BrokerProgram program, Setting setting, int topics, Medians medians) throws Exception {
        Path data = setting.emptyFolder("many-topics-" + program.name());
        try (RunningBroker broker = program.start(data, Jdk.running());
                PulsarClient client = BenchmarkClient.connect(broker.url())) {
            BenchmarkClient.producer(broker, client, topic(0)).close();
            long started = System.nanoTime();
            Concurrently.forEach(topics, AT_ONCE, i -> fill(client, i));
            medians.add("many-topics-fill", "s", program.name(), secondsSince(started));
            medians.add("many-topics-disk", "MB", program.name(), diskMegabytes(data));
            medians.add("many-topics-open-files", "files", program.name(), (double) broker.openFiles());
            medians.add("many-topics-memory", "MB", program.name(), broker.residentBytes() / 1e6);
            broker.kill();
        }
        long restarted = System.nanoTime();
        try (RunningBroker broker = program.start(data, Jdk.running());
                PulsarClient client = BenchmarkClient.connect(broker.url())) {
            try (Producer<byte[]> producer = BenchmarkClient.producer(broker, client, topic(topics - 1))) {
                producer.send(new byte[1]);
            }
            medians.add("many-topics-recovery", "s", program.name(), secondsSince(restarted));
            Concurrently.forEach(topics, AT_ONCE, i -> readBack(client, i));
        }
    }

    private static CompletionStage<?> fill(PulsarClient client, int i) {
        byte[] message = topic(i).getBytes(StandardCharsets.UTF_8);
        return client.newProducer()
                .topic(topic(i))
                .enableBatching(false)
                .createAsync()
                .thenCompose(producer -> producer.sendAsync(message).thenCompose(id -> producer.closeAsync()));
    }

    private static CompletionStage<?> readBack(PulsarClient client, int i) {
        return client.newReader()
                .topic(topic(i))
                .startMessageId(MessageId.earliest)
                .receiverQueueSize(1)
                .createAsync()
                .thenCompose(reader -> reader.readNextAsync().thenCompose(message -> checked(reader, message, i)));
    }

    private static CompletionStage<Void> checked(Reader<byte[]> reader, Message<byte[]> message, int i) {
        String found = new String(message.getData(), StandardCharsets.UTF_8);
        if (!found.equals(topic(i))) {
            return CompletableFuture.failedStage(new IOException("In " + topic(i) + " stands '" + found + "'"));
        }
        return reader.closeAsync();
    }

    private static String topic(int i) {
        return "many-topics-" + i;
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** What the file system has allocated, which a sparse or preallocated file's length does not tell. */
    private static double diskMegabytes(Path folder) throws IOException {
        Process du = new ProcessBuilder("du", "-sk", folder.toString()).start();
        String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Long.parseLong(answer.substring(0, answer.indexOf('\t'))) * 1024 / 1e6;
    }
}
