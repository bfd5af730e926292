package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Small things that the log's tests share: entries, waiting, reading everything. */
final class LogFixture {
    private static final int MAX_AHEAD = 1_000;

    private LogFixture() {}

    static EntryHeader header(long publishTimeMillis) {
        return new EntryHeader(1, publishTimeMillis, 7, 0, 0);
    }

    static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("not done", e);
        }
    }

    /** Waits for durable positions of one topic. */
    static final class Receipts implements TopicLogListener {
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final List<Position> durable = new ArrayList<>();
        private Position refusedFrom;
        private Throwable refusal;

        @Override
        public synchronized void durable(Position upTo) {
            durable.add(upTo);
            notifyAll();
        }

        @Override
        public synchronized void refused(Position from, Throwable cause) {
            refusedFrom = from;
            refusal = cause;
            notifyAll();
        }

        @Override
        public synchronized void failed(Throwable cause) {
            failure.set(cause);
            notifyAll();
        }

        synchronized List<Position> groups() {
            return List.copyOf(durable);
        }

        Throwable failure() {
            return failure.get();
        }

        synchronized void await(Position position) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!isDurable(position)) {
                if (isRefused(position)) {
                    throw (LogUnavailableException) refusal;
                }
                waitUntil(deadline, position);
            }
        }

        synchronized boolean isDurable(Position position) {
            return !durable.isEmpty() && !durable.get(durable.size() - 1).isBefore(position) && !isRefused(position);
        }

        private boolean isRefused(Position position) {
            return refusedFrom != null
                    && refusedFrom.ledgerId() == position.ledgerId()
                    && !position.isBefore(refusedFrom);
        }

        synchronized Throwable awaitFailure() {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (failure.get() == null) {
                waitUntil(deadline, null);
            }
            return failure.get();
        }

        @SuppressWarnings("WaitNotInLoop")
        private void waitUntil(long deadline, Position position) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if ((failure.get() != null && position != null) || millis <= 0) {
                throw new AssertionError("not durable: " + position, failure.get());
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static List<String> texts(TopicLog topic) {
        List<String> texts = new ArrayList<>();
        Position at = Position.BEFORE_ALL;
        while (true) {
            List<Entry> entries = await(topic.read(at, 100, 1 << 20));
            if (entries.isEmpty()) {
                return texts;
            }
            for (Entry entry : entries) {
                if (entry.position().isBefore(at)) {
                    throw new AssertionError(entry.position() + " read from " + at);
                }
                at = topic.next(entry.position());
                texts.add(entry.data().toString(StandardCharsets.UTF_8));
                entry.release();
            }
        }
    }

    /** Waits until the ledger writer has deleted what recovery found to be acknowledged. */
    static void settle(BrokerLog log) {
        for (int round = 0; round < 2; round++) {
            for (String name : log.topicNames()) {
                TopicLog topic = await(log.openTopic(name));
                topic.cursorNames().forEach(cursor -> await(topic.openCursor(cursor, Position.BEFORE_ALL)));
            }
        }
    }

    /** Lets the journal come closer to a test that appends to one ledger until something happens to the log. */
    static void pauseIfFarAhead(TopicLog topic) {
        if (topic.lastAppended().entryId() - topic.lastDurable().entryId() > MAX_AHEAD) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    static CompletableFuture<Long> deltaNumber(CursorLog cursor, long number) {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        cursor.listener(new CursorLogListener() {
            @Override
            public void durable(long upToNumber) {
                if (upToNumber >= number) {
                    durable.complete(upToNumber);
                }
            }

            @Override
            public void failed(Throwable cause) {
                durable.completeExceptionally(cause);
            }
        });
        return durable;
    }

    /** Copies the folder of a log that is open as a kill would leave it: no snapshot was written meanwhile, nor a file deleted. */
    static void copyInUse(Path from, Path scratch, Path to) throws IOException {
        for (int attempt = 0; ; attempt++) {
            Path copy = scratch.resolve(Integer.toString(attempt));
            byte[] snapshot = Files.readAllBytes(SnapshotFile.path(from));
            try {
                copy(from, copy);
                if (Arrays.equals(snapshot, Files.readAllBytes(SnapshotFile.path(from)))) {
                    Files.move(copy, to);
                    return;
                }
            } catch (UncheckedIOException | NoSuchFileException deletedMeanwhile) {
                assertThat(attempt)
                        .as("attempts to copy, the last of which failed with %s", deletedMeanwhile)
                        .isLessThan(100);
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
