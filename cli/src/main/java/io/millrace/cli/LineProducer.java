package io.millrace.cli;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Sends lines through one batching producer, in order, with at most {@value #MAX_PENDING} of them without receipt.
 *
 * <p><b>Threads</b>: the command's thread runs {@link #send}; a stop signal's thread calls {@link #stop}.<br>
 * <b>Owned</b>: by the command's thread: the reader, {@code bytes}, progress.<br>
 * <b>Shared</b>: {@code stopping}, volatile, set by the signal's thread before it reads {@code sent}; {@code sent},
 * volatile, counted up by the command's thread before it looks at {@code stopping} and hands a message over, or takes the
 * count back: so the signal's thread waits for every message that is handed over, and for no other; receipts.<br>
 * <b>States</b>: sending -> stopping when a signal comes.<br>
 * <b>Proved by</b>: LineProducerTest, ProduceConsumeIT.
 */
final class LineProducer {
    private static final int MEMORY_MIB = 64;
    private static final int MAX_PENDING = 20_000;
    private static final int MAX_BATCH_MESSAGES = 2_000;
    private static final int MAX_BATCH_BYTES = 256 * 1024;
    private static final int MAX_LINE_BYTES = 64 * 1024 * 1024;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final Producer<byte[]> producer;
    private final @Nullable KeyField keyField;
    private final SendReceipts receipts = new SendReceipts();
    private final Progress progress = new Progress("produced");
    private volatile boolean stopping;
    private volatile long sent;
    private long bytes;

    LineProducer(Producer<byte[]> producer, @Nullable KeyField keyField) {
        this.producer = producer;
        this.keyField = keyField;
    }

    /** Sends each line of the file, or of stdin; returns once every line has its receipt, else throws CommandFailure. */
    static void produce(String url, String topic, @Nullable Path file, @Nullable KeyField keyField) {
        try (LineReader lines = new LineReader(open(file), MAX_LINE_BYTES);
                Producer<byte[]> producer = create(PulsarConnection.open(url, MEMORY_MIB), topic, keyField != null)) {
            LineProducer sender = new LineProducer(producer, keyField);
            Runnable takeBack = StopSignal.onStop(STOP_LIMIT, sender::stop);
            try {
                sender.send(lines);
            } finally {
                takeBack.run();
            }
        } catch (PulsarClientException e) {
            throw new CommandFailure(
                    "cannot produce to " + topic + " at " + url + ": " + CommandFailure.innermostReason(e), e);
        } catch (IOException e) {
            throw new CommandFailure("cannot read the lines: " + CommandFailure.reason(e), e);
        }
    }

    /** Sends the lines until there are no more, one is not stored or the signal comes, and waits for the receipts. */
    void send(LineReader lines) throws IOException {
        for (byte[] next = lines.next(); next != null && receipts.failure() == null && !stopping; next = lines.next()) {
            sendLine(sent + 1, next);
            progress.update(receipts.stored(), bytes);
        }
        receipts.await(() -> sent, () -> progress.update(receipts.stored(), bytes));
        requireStored();
        if (!stopping) {
            progress.summary(receipts.stored(), bytes);
        }
    }

    private void requireStored() {
        SendReceipts.SendFailure failure = receipts.failure();
        if (failure != null) {
            throw new CommandFailure(
                    "line " + failure.line() + " was not stored, " + receipts.stored() + " lines were: "
                            + CommandFailure.innermostReason(failure.cause()),
                    failure.cause());
        }
    }

    // The receipt settles the count, or the failure, whenever it comes; nobody waits on this future.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void sendLine(long number, byte[] line) {
        TypedMessageBuilder<byte[]> message = producer.newMessage().value(line);
        if (keyField != null) {
            keyField.addTo(message, line);
        }
        sent = number;
        if (stopping) {
            sent = number - 1;
            return;
        }
        bytes += line.length;
        message.sendAsync().whenComplete((id, failure) -> receipts.settle(number, failure));
    }

    /** Lets no further line be sent, waits for the receipts of those that were, and says how many there are; throws as {@link #send} does. */
    void stop() {
        stopping = true;
        receipts.await(() -> sent, () -> {});
        requireStored();
        progress.say("stopped after " + receipts.stored() + " stored lines");
    }

    private static InputStream open(@Nullable Path file) throws IOException {
        if (file == null) {
            return System.in;
        }
        try {
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.USAGE, "there is no file " + file, e);
        }
    }

    private static ProducerBuilder<byte[]> builder(PulsarClient client, String topic) {
        try {
            return client.newProducer().topic(topic);
        } catch (IllegalArgumentException refused) {
            throw new CommandFailure(ExitCode.USAGE, CommandFailure.reason(refused), refused);
        }
    }

    private static Producer<byte[]> create(PulsarClient client, String topic, boolean keyed)
            throws PulsarClientException {
        return builder(client, topic)
                .blockIfQueueFull(true)
                .maxPendingMessages(MAX_PENDING)
                .enableBatching(true)
                .batcherBuilder(keyed ? BatcherBuilder.KEY_BASED : BatcherBuilder.DEFAULT)
                .batchingMaxMessages(MAX_BATCH_MESSAGES)
                .batchingMaxBytes(MAX_BATCH_BYTES)
                .batchingMaxPublishDelay(5, TimeUnit.MILLISECONDS)
                .create();
    }
}
