package io.millrace.streams.engine.island;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.pool.UncaughtFailures;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.MailboxLimit;
import io.millrace.streams.stage.StageConsumer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A queue of messages from any thread into one stage: many are queued, the island is woken once.
 *
 * <p><b>Threads</b>: any thread sends; the island drains, opens and closes; after closing, whoever sends sweeps.<br>
 * <b>Owned</b>: {@code handler}, {@code sender}, which who gives up a stuck stage reads too, polling the queue by the island; after
 * closing, polling by who won SWEEPING.<br>
 * <b>Shared</b>: {@code phase}: volatile, and read by a sender after its message
 * is in, written before the queue is looked at by whoever changes it, so one of the two sees the other. {@code queue}:
 * made by the first sender, by compare-and-set; {@code engine} and {@code dropped}: guarded by this; {@code closed}: volatile,
 * made under this, where it is also looked for once the phase says closed, and completed outside.<br>
 * <b>States</b>: HELD -> OPEN when the stage has started, by the island; HELD, OPEN -> CLOSED when the stage stops, by
 * the island; CLOSED -> SWEEPING -> CLOSED by a late sender, who drops what came late.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
final class Mailbox<T> extends Signal implements AsyncCallback<T> {
    private static final VarHandle PHASE;
    private static final VarHandle QUEUE;
    private static final VarHandle SENDER;
    private static final int HELD = 0;
    private static final int OPEN = 1;
    private static final int CLOSED = 2;
    private static final int SWEEPING = 3;
    private static final int BURST = 2;
    private static final int WHILE_ROUNDS = 64;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(Mailbox.class, "phase", int.class);
            QUEUE = lookup.findVarHandle(Mailbox.class, "queue", MessageQueue.class);
            SENDER = lookup.findVarHandle(Mailbox.class, "sender", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable CompletableFuture<Done> closed;
    private long dropped;
    private String stageName = "";
    private int drainBatch = 1;
    private final @Nullable MailboxPermits admission;
    private final Held held = new Held();
    private @Nullable StageContext context;
    private @Nullable StageConsumer<? super T> handler;
    private @Nullable Island island;
    private @Nullable Engine engine;
    private @Nullable Object sender;
    private volatile @Nullable MessageQueue queue;
    private volatile int phase = HELD;

    Mailbox(StageContext context, StageConsumer<? super T> handler, @Nullable MailboxLimit limit) {
        this.context = context;
        this.handler = Objects.requireNonNull(handler, "handler");
        admission = limit == null ? null : new MailboxPermits(limit);
    }

    @Override
    public void invoke(T value) {
        invoke(value, null);
    }

    /** Queues a message, from any thread; the handler may ask for its sender. */
    void invoke(T value, @Nullable Object from) {
        if (admission == null) {
            add(message(value, from));
        } else if (admission.enter()) {
            addAdmitted(admission, value, from);
        } else {
            countDropped();
        }
    }

    private Object message(T value, @Nullable Object from) {
        return from == null && value != null ? value : new Envelope(value, from);
    }

    /** Gives its place back where there is no memory for the message. */
    private void addAdmitted(MailboxPermits permits, T value, @Nullable Object from) {
        boolean isAdded = false;
        try {
            enqueue(message(value, from));
            isAdded = true;
        } finally {
            if (!isAdded) {
                permits.leave();
            }
        }
        wake();
    }

    /** Who sent the message that is being handled, if it said so; called in the handler. */
    @Nullable
    Object sender() {
        Object known = sender;
        return known instanceof Feedback ? null : known;
    }

    @Override
    public CompletionStage<Done> invokeWithFeedback(T value) {
        Feedback feedback = new Feedback();
        add(new Envelope(value, feedback));
        VarHandle.fullFence(); // who gives the stage up looks at the queue after it has said so
        if (isGivenUp()) {
            refuse(feedback);
        }
        return feedback;
    }

    /** Completes when the mailbox is closed; fails when its stage is given up before, as it is stuck. */
    CompletionStage<Done> whenClosed() {
        return end().copy();
    }

    private CompletableFuture<Done> end() {
        CompletableFuture<Done> known = closed;
        return known == null ? madeEnd() : known;
    }

    private synchronized CompletableFuture<Done> madeEnd() {
        CompletableFuture<Done> made = closed;
        if (made == null) {
            made = new CompletableFuture<>();
            if (isClosed()) {
                made.complete(Done.DONE);
            }
            closed = made;
        }
        return made;
    }

    /** Whether those that ask for its end now have missed it: it is closed, or its stage is given up. */
    boolean hasEnded() {
        CompletableFuture<Done> told = closed;
        return isClosed() || (told != null && told.isDone());
    }

    boolean isClosed() {
        return phase >= CLOSED;
    }

    /** How many messages came after the mailbox was closed, or were still queued then. */
    synchronized long droppedCount() {
        return dropped;
    }

    /** Reports what has failed because of the end of this stage; before it has started, to the thread's uncaught handler. */
    void report(String what, Throwable failure) {
        StreamException placed =
                new StreamException("stage " + stageName + ": " + what + ": " + Described.of(failure), failure);
        Engine known;
        synchronized (this) {
            known = engine;
        }
        if (known == null) {
            UncaughtFailures.report(placed);
        } else {
            known.report(placed);
        }
    }

    /** Replaces what is done with messages from the next one on; called in the island or before the start. */
    void become(StageConsumer<? super T> newHandler) {
        handler = Objects.requireNonNull(newHandler, "handler");
    }

    /** Closes it before its stage stops; called in the island. */
    void dispose() {
        held.detach();
        close();
    }

    /** What the stage holds of it. */
    Held held() {
        return held;
    }

    /** Lets messages through from now on; called in the island once its stage has started. */
    void open(Island home, StageContext stage) {
        if (phase == HELD) {
            stageName = stage.name();
            drainBatch = home.stream().drainBatch(stage.index());
            island = home;
            synchronized (this) {
                engine = home.engine();
                engine.countDroppedMessages(dropped);
            }
            phase = OPEN;
            if (hasMessages()) {
                home.post(this);
            }
        }
    }

    private void close() {
        phase = CLOSED;
        sweep();
        context = null;
        handler = null;
        island = null;
        CompletableFuture<Done> asked;
        synchronized (this) {
            asked = closed;
        }
        if (asked != null) {
            asked.complete(Done.DONE);
        }
        if (casPosted()) { // and stays so: nobody posts it any more
            nextSignal = null;
        }
    }

    /**
     * Drains. It stays posted meanwhile, so that its senders neither post it again nor find its cache line written at every
     * turn; it is marked idle before the last look at the queue.
     */
    @Override
    void taken() {
        deliver();
        Island home = island;
        if (home == null) {
            nextSignal = null; // closed: it stays posted, and leads to nothing
        } else if (hasMessages()) {
            home.postAgain(this);
        } else {
            setIdle();
            if (hasMessages()) {
                home.post(this);
            }
        }
    }

    @Override
    boolean waitsForRest() {
        return true;
    }

    /** Handles messages a batch at a time, until there are none or other signals or the executor have their turn. */
    @Override
    void deliver() {
        StageContext target = context;
        Island home = island;
        if (target == null || home == null) {
            return;
        }
        boolean goOn = true;
        while (goOn && phase == OPEN && hasMessages()) {
            goOn = handleBatch(target, home) && home.hasNoSignals();
        }
    }

    /** Whether the island's budget lasts. */
    private boolean handleBatch(StageContext target, Island home) {
        for (int handled = 0; handled < drainBatch && phase == OPEN; handled++) {
            Object message = poll();
            if (message == null && handled >= BURST) {
                message = pollAfterAWhile();
            }
            if (message == null) {
                return true;
            }
            handle(target, message);
            if (!home.settle() || home.isTurnLong()) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked")
    private void handle(StageContext target, Object message) {
        StageConsumer<? super T> current = handler;
        if (current == null) {
            return;
        }
        if (message instanceof Envelope envelope) {
            handle(target, current, envelope);
        } else {
            target.island().invoke(target, current, (T) message);
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // a message may be null if its type allows that
    private void handle(StageContext target, StageConsumer<? super T> current, Envelope envelope) {
        if (envelope.attachment instanceof Feedback feedback && isGivenUp()) { // its sender was told so, or is now
            countDropped();
            refuse(feedback);
            return;
        }
        SENDER.setOpaque(this, envelope.attachment);
        Throwable failure = target.island().invoke(target, current, (T) envelope.message);
        sender = null;
        if (envelope.attachment instanceof Feedback feedback) {
            feedback.settle(failure);
        }
    }

    /** Whether its stage was stuck when its runtime was closed, and whoever waits for it was told so. */
    private boolean isGivenUp() {
        CompletableFuture<Done> told = closed;
        return told != null && told.isCompletedExceptionally();
    }

    /** Tells a sender that its message is not handled as the stage is given up. */
    private void refuse(Feedback feedback) {
        CompletionStage<Done> given = end();
        given.whenComplete((done, cause) -> refuse(feedback, cause));
    }

    private void refuse(Feedback feedback, Throwable cause) {
        feedback.completeExceptionally(new StageStoppedException("the stage " + stageName + " is stuck", cause));
    }

    /** Tells who sent what is queued that it is not handled, and who sent what is being handled why nobody knows; by another thread. */
    private void giveUp(Throwable cause) {
        if (SENDER.getOpaque(this) instanceof Feedback handled) {
            handled.completeExceptionally(cause);
        }
        MessageQueue messages = queue;
        if (messages != null) {
            messages.forEachFromOutside(message -> {
                if (message instanceof Envelope envelope && envelope.attachment instanceof Feedback feedback) {
                    refuse(feedback, cause);
                }
            });
        }
    }

    private void add(Object message) {
        enqueue(message);
        wake();
    }

    private void enqueue(Object message) {
        MessageQueue messages = queue;
        if (messages == null) {
            messages = madeQueue();
        }
        messages.add(message);
    }

    private void wake() {
        int seen = phase;
        if (seen == OPEN) {
            Island home = island;
            if (home != null) {
                home.post(this);
            } else {
                sweep();
            }
        } else if (seen != HELD) {
            sweep();
        }
    }

    /** In the midst of a burst more is about to come: a while without touching the queue lets its senders fill it. */
    private @Nullable Object pollAfterAWhile() {
        for (int i = 0; i < WHILE_ROUNDS; i++) {
            Thread.onSpinWait();
        }
        return poll();
    }

    private MessageQueue madeQueue() {
        MessageQueue made = new MessageQueue();
        MessageQueue there = (MessageQueue) QUEUE.compareAndExchange(this, null, made);
        return there == null ? made : there;
    }

    private boolean hasMessages() {
        MessageQueue messages = queue;
        return messages != null && !messages.isEmpty();
    }

    private @Nullable Object poll() {
        MessageQueue messages = queue;
        Object message = messages == null ? null : messages.poll();
        if (message != null && admission != null) {
            admission.leave();
        }
        return message;
    }

    private void countDropped() {
        synchronized (this) {
            dropped++;
            if (engine != null) {
                engine.countDroppedMessages(1);
            }
        }
    }

    private void sweep() {
        while (hasMessages() && PHASE.compareAndSet(this, CLOSED, SWEEPING)) {
            Object late = poll();
            while (late != null) {
                countDropped();
                if (late instanceof Envelope envelope && envelope.attachment instanceof Feedback feedback) {
                    feedback.completeExceptionally(
                            new StageStoppedException("the stage " + stageName + " has stopped"));
                }
                late = poll();
            }
            phase = CLOSED;
        }
    }

    /** Closes the mailbox when the stage stops. */
    final class Held extends Resource {
        Mailbox<T> mailbox() {
            return Mailbox.this;
        }

        @Override
        void abandon(Throwable cause) {
            if (end().completeExceptionally(cause)) {
                giveUp(cause);
            }
        }

        @Override
        void release(@Nullable Throwable failure) {
            close();
        }
    }

    /** Tells a sender what became of its message. */
    private static final class Feedback extends CompletableFuture<Done> {
        void settle(@Nullable Throwable failure) {
            if (failure == null) {
                complete(Done.DONE);
            } else {
                completeExceptionally(failure);
            }
        }
    }

    /** A message with who sent it or wants to hear of it; most have neither, and are queued as they are. */
    private record Envelope(
            @Nullable Object message, @Nullable Object attachment) {}
}
