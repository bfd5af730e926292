package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.log.Position;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A producer's session that writes down what it is told; closes its handle when the broker asks for it. */
final class RecordingProducer implements ProducerLink {
    /** An answer to a publish: a position, or a failure. */
    record Answer(
            long sequenceId,
            @Nullable Position position,
            @Nullable BrokerException failure) {}

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<CloseReason> closes = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> waits = new LinkedBlockingQueue<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile @Nullable ProducerHandle handle;
    private volatile CompletableFuture<ProducerHandle> asked = new CompletableFuture<>();
    private final CountDownLatch askedWhetherAlive = new CountDownLatch(1);
    private final AtomicInteger timesAsked = new AtomicInteger();
    private volatile CompletableFuture<Boolean> lives = CompletableFuture.completedFuture(true);
    private volatile boolean unflushed;
    private volatile long lastDropped = -1;

    static RecordingProducer attachedTo(Topic topic, ProducerOptions options) throws Exception {
        RecordingProducer link = new RecordingProducer();
        link.handle = topic.attach(link, options).toCompletableFuture().get(10, TimeUnit.SECONDS);
        return link;
    }

    /** Asks to be attached, which may take its time. */
    void attach(Topic topic, ProducerOptions options, CompletableFuture<ProducerHandle> reply) {
        asked = reply;
        topic.attach(this, options, reply);
    }

    /** From now on it says whether it is alive only once this is completed. */
    CompletableFuture<Boolean> answersLater() {
        lives = new CompletableFuture<>();
        return lives;
    }

    /** How often it was asked whether it is alive. */
    int timesAsked() {
        return timesAsked.get();
    }

    /** Waits until it is asked whether it is alive. */
    void awaitAsked() throws InterruptedException {
        if (!askedWhetherAlive.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("not asked whether it is alive within 10 s");
        }
    }

    @Override
    public CompletionStage<Boolean> isAlive() {
        timesAsked.incrementAndGet();
        askedWhetherAlive.countDown();
        return lives;
    }

    /** The name under which it waits for its topic. */
    String nextWaiting() throws InterruptedException {
        String name = waits.poll(10, TimeUnit.SECONDS);
        if (name == null) {
            throw new AssertionError("not told to wait within 10 s");
        }
        return name;
    }

    ProducerHandle handle() {
        ProducerHandle attached = handle == null ? asked.getNow(null) : handle;
        if (attached == null) {
            throw new IllegalStateException("not attached");
        }
        return attached;
    }

    Answer nextAnswer() throws InterruptedException {
        Answer answer = answers.poll(10, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no answer within 10 s");
        }
        return answer;
    }

    CloseReason nextClose() throws InterruptedException {
        CloseReason reason = closes.poll(10, TimeUnit.SECONDS);
        if (reason == null) {
            throw new AssertionError("not closed within 10 s");
        }
        return reason;
    }

    boolean hasNoAnswer() {
        return answers.isEmpty();
    }

    /** True while an answer was told after the last flush. */
    boolean isUnflushed() {
        return unflushed;
    }

    /** The last publish that its own stage answered; -1 if there was none. */
    long lastDropped() {
        return lastDropped;
    }

    List<String> faults() {
        return faults;
    }

    @Override
    public void receipt(long sequenceId, long highestSequenceId, Position position) {
        unflushed = true;
        answers.add(new Answer(sequenceId, position, null));
    }

    @Override
    public void failed(long sequenceId, BrokerException failure) {
        unflushed = true;
        answers.add(new Answer(sequenceId, null, failure));
    }

    @Override
    public void dropped(long sequenceId, BrokerException failure) {
        lastDropped = sequenceId;
        answers.add(new Answer(sequenceId, null, failure));
    }

    @Override
    public void flush() {
        if (!unflushed) {
            faults.add("flushed with nothing to flush");
        }
        unflushed = false;
    }

    @Override
    public void waiting(String name) {
        waits.add(name);
    }

    @Override
    public void closed(CloseReason reason) {
        closes.add(reason);
        handle().close();
    }
}
