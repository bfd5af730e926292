package io.millrace.cli;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in groups: write, flush, then acknowledge.
 *
 * <p><b>Threads</b>: the command's thread runs {@link #run}; a stop signal's thread calls {@link #stop}.<br>
 * <b>Owned</b>: by the command's thread: all but what follows.<br>
 * <b>Shared</b>: {@code stopping}, volatile, set by the signal's thread; {@code ended}, completed by the command's thread
 * when nothing is left to do, or with why it failed, for which the signal's thread waits: that thread alone can still tell
 * it, and end the process as failed, once the process stops.<br>
 * <b>States</b>: consuming -> stopping when a signal comes -> ended.<br>
 * <b>Proved by</b>: LineConsumerTest, ProduceConsumeIT.
 */
final class LineConsumer {
    private static final int GROUP_MESSAGES = 1_000;
    private static final int GROUP_BYTES = 1024 * 1024;
    private static final int MEMORY_MIB = 32;
    private static final int POLL_MILLIS = 100;
    private static final int ACK_GROUP_MILLIS = 10;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final long STOPPING_ACK_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final long ENDING_ACK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Consumer<byte[]> consumer;
    private final ConsumeCommand.Request request;
    private final LineFormat format;
    private final OutputStream out =
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), GROUP_BYTES / Byte.SIZE);
    private final Progress progress = new Progress("consumed");
    private final Acknowledgements acknowledgements;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean stopping;
    private long printed;
    private long bytes;

    LineConsumer(Consumer<byte[]> consumer, ConsumeCommand.Request request, LineFormat format) {
        this.consumer = consumer;
        this.request = request;
        this.format = format;
        this.acknowledgements = new Acknowledgements(consumer::acknowledgeAsync, () -> ConnectionStamp.of(consumer));
    }

    /** Prints what the request asks for; returns the exit code, or throws CommandFailure. */
    static int consume(ConsumeCommand.Request request) {
        VersionedBytes versioned = request.json() ? new VersionedBytes() : null;
        try (Consumer<byte[]> consumer =
                subscribe(PulsarConnection.open(request.url(), MEMORY_MIB), request, versioned)) {
            LineConsumer lines = new LineConsumer(
                    consumer, request, versioned == null ? LineFormat.BYTES : new JsonFormat(versioned));
            Runnable takeBack = StopSignal.onStop(STOP_LIMIT, lines::stop);
            try {
                return lines.run();
            } finally {
                takeBack.run(); // a failure is told once, by who hears of it here
            }
        } catch (PulsarClientException e) {
            String what = "cannot consume " + request.subscription().topic() + " at " + request.url() + ": ";
            throw new CommandFailure(what + CommandFailure.innermostReason(e), e);
        }
    }

    /** Prints until there is nothing more to print or the signal comes; the exit code. */
    int run() {
        try {
            int code = printAll();
            ended.complete(null);
            return code;
        } catch (RuntimeException failure) {
            ended.completeExceptionally(failure);
            throw failure;
        }
    }

    private int printAll() {
        boolean open = true;
        while (open && !stopping && printed < request.count()) {
            open = printGroup();
            acknowledgements.settle();
            progress.update(printed, bytes);
        }
        settleAll();
        progress.summary(printed, bytes);
        return open ? ExitCode.OK : ExitCode.BROKEN_PIPE;
    }

    /** Prints and acknowledges what is there, waiting a moment for the first message; false if stdout has no reader. */
    private boolean printGroup() {
        List<MessageId> group = new ArrayList<>();
        long groupEnd = bytes + GROUP_BYTES;
        try {
            Message<byte[]> next = consumer.receive(POLL_MILLIS, TimeUnit.MILLISECONDS);
            while (next != null) {
                print(next, group);
                boolean full = group.size() >= GROUP_MESSAGES || bytes >= groupEnd || printed == request.count();
                next = full ? null : consumer.receive(0, TimeUnit.MILLISECONDS);
            }
            out.flush();
        } catch (IOException e) {
            return hasReader(e);
        }
        if (request.ack() && !group.isEmpty()) {
            acknowledgements.add(group);
        }
        return true;
    }

    private void print(Message<byte[]> message, List<MessageId> group) throws IOException {
        MessageId id = message.getMessageId();
        if (!acknowledgements.contains(id)) {
            byte[] line = format.line(message);
            out.write(line);
            out.write('\n');
            group.add(id);
            printed++;
            bytes += line.length;
        }
    }

    private static boolean hasReader(IOException failure) {
        if (failure instanceof PulsarClientException) {
            throw new CommandFailure("cannot receive: " + CommandFailure.innermostReason(failure), failure);
        }
        return Stdout.exitCode(failure) != ExitCode.BROKEN_PIPE;
    }

    private void settleAll() {
        long startNanos = System.nanoTime();
        acknowledgements.await(
                () -> System.nanoTime() - startNanos > (stopping ? STOPPING_ACK_NANOS : ENDING_ACK_NANOS));
        if (acknowledgements.count() > 0) {
            throw new CommandFailure(
                    acknowledgements.count() + " of " + printed
                            + " printed messages have no acknowledgement receipt and may come again",
                    null);
        }
    }

    /** Ends the printing and waits until all is settled; throws what it failed with, if it did. */
    void stop() {
        stopping = true;
        try {
            ended.join();
        } catch (CompletionException e) {
            Throwable failure = e.getCause();
            throw new CommandFailure(CommandFailure.reason(failure == null ? e : failure), e);
        }
    }

    private static Consumer<byte[]> subscribe(
            PulsarClient client, ConsumeCommand.Request request, @Nullable VersionedBytes versioned)
            throws PulsarClientException {
        try {
            return builder(client, request, versioned).subscribe();
        } catch (IllegalArgumentException refused) {
            throw new CommandFailure(ExitCode.USAGE, CommandFailure.reason(refused), refused);
        }
    }

    private static ConsumerBuilder<byte[]> builder(
            PulsarClient client, ConsumeCommand.Request request, @Nullable VersionedBytes versioned) {
        ConsumeCommand.Subscription subscription = request.subscription();
        return client.newConsumer(versioned == null ? Schema.BYTES : versioned)
                .topic(subscription.topic())
                .subscriptionName(subscription.name())
                .subscriptionType(
                        switch (subscription.type()) {
                            case EXCLUSIVE -> SubscriptionType.Exclusive;
                            case FAILOVER -> SubscriptionType.Failover;
                            case SHARED -> SubscriptionType.Shared;
                            case KEY_SHARED -> SubscriptionType.Key_Shared;
                        })
                .subscriptionInitialPosition(
                        switch (subscription.from()) {
                            case EARLIEST -> SubscriptionInitialPosition.Earliest;
                            case LATEST -> SubscriptionInitialPosition.Latest;
                        })
                .receiverQueueSize((int) Math.min(GROUP_MESSAGES, request.count()))
                .autoScaledReceiverQueueSizeEnabled(true) // within that, as many as the memory has room for
                .isAckReceiptEnabled(true)
                .enableBatchIndexAcknowledgment(true)
                .acknowledgmentGroupTime(ACK_GROUP_MILLIS, TimeUnit.MILLISECONDS);
    }
}
