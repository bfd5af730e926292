package io.millrace.broker.inspect;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An answer that several owners give together, kept until one of them changes what it tells, and half a minute at most: whoever asks
 * again meanwhile wakes none of them. Thread-safe.
 *
 * <p>Who asks begins with {@link #ask}, puts its question to the owners, and keeps what they say. Whoever sends an
 * owner something that changes it drops the answer once that is sent, and an owner that changes by itself drops it before: a question
 * that was put before either leaves nothing behind, and one that is put after it is answered behind it. So nobody is told less than who
 * asks the owners themselves.
 */
public final class KeptAnswer<T> {
    private static final long LIFE_NANOS = 30_000_000_000L;

    /** Null, a {@link Question} to which there is no answer yet, or the {@link Kept} one. */
    private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

    private volatile boolean ended;

    /** That an answer is looked for; compared by identity. */
    public static final class Question {
        private Question() {}
    }

    private record Kept(Object answer, long sinceNanos) {}

    /** The answer, if there is one that holds at that time of {@link System#nanoTime}. */
    @SuppressWarnings("unchecked") // only keep() puts one there
    public @Nullable T get(long nowNanos) {
        return !ended && state.get() instanceof Kept kept && nowNanos - kept.sinceNanos < LIFE_NANOS
                ? (T) kept.answer
                : null;
    }

    /** Before the owners are asked. */
    public Question ask() {
        Question question = new Question();
        state.set(question);
        return question;
    }

    /** What the owners said, which holds from that time on; nothing if any of them has changed it since it was asked. */
    public void keep(Question question, T answer, long nowNanos) {
        state.compareAndSet(question, new Kept(answer, nowNanos));
    }

    /** Something changes: what was told, or is being told, holds no longer. */
    public void drop() {
        if (state.get() != null) {
            state.set(null);
        }
    }

    /** Nothing is kept any more: the owners end, and others may answer in their place. */
    public void end() {
        ended = true;
        state.set(null);
    }
}
