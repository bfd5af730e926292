package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client's end of a consumer: remembers what reaches it and gives the bytes back at once. */
final class RecordingConsumer implements ConsumerLink {
    /** One delivered entry, as the client sees it. */
    record Delivered(RecordingConsumer to, Position position, int messages, int redeliveryCount, List<Long> ackSet) {}

    final String name;
    final List<Delivered> delivered = new CopyOnWriteArrayList<>();
    final List<Boolean> activeChanges = new CopyOnWriteArrayList<>();
    final List<CloseReason> closes = new CopyOnWriteArrayList<>();
    final List<Long> epochs = new CopyOnWriteArrayList<>();
    volatile boolean writable = true;
    volatile int unflushed;
    /** How many times more it says that it is writable before it says once that it is not; negative for never. */
    final AtomicInteger unwritableAt = new AtomicInteger(-1);
    /** Whether its client does not answer when it is asked whether it is alive. */
    volatile boolean silent;

    final AtomicInteger timesAsked = new AtomicInteger();
    private final Consumer<Delivered> journal;

    RecordingConsumer(String name) {
        this(name, delivered -> {});
    }

    RecordingConsumer(String name, Consumer<Delivered> journal) {
        this.name = name;
        this.journal = journal;
    }

    /** The delivered positions, in order. */
    List<Position> positions() {
        List<Position> positions = new ArrayList<>();
        delivered.forEach(each -> positions.add(each.position()));
        return positions;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The dispatcher's island is the only writer.
    public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
        List<Long> set = new ArrayList<>();
        for (long word : ackSet == null ? new long[0] : ackSet) {
            set.add(word);
        }
        Delivered each = new Delivered(this, entry.position(), entry.header().messageCount(), redeliveryCount, set);
        entry.release();
        unflushed++;
        journal.accept(each);
        delivered.add(each);
    }

    @Override
    public void flush() {
        unflushed = 0;
    }

    @Override
    public void activeChanged(boolean active) {
        activeChanges.add(active);
    }

    @Override
    public void rewound(long consumerEpoch) {
        epochs.add(consumerEpoch);
    }

    @Override
    public void closed(CloseReason reason) {
        closes.add(reason);
    }

    @Override
    public boolean isWritable() {
        return writable && unwritableAt.getAndDecrement() != 0;
    }

    @Override
    public CompletionStage<Boolean> isAlive() {
        timesAsked.incrementAndGet();
        return CompletableFuture.completedFuture(!silent);
    }

    @Override
    public String describe() {
        return name;
    }
}
