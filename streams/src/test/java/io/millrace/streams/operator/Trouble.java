package io.millrace.streams.operator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a function of a user's does wrong: it gives null, or throws; or its future does so. */
final class Trouble {
    private final String name;
    private final @Nullable Throwable failure;
    private final boolean late;

    private Trouble(String name, @Nullable Throwable failure, boolean late) {
        this.name = name;
        this.failure = failure;
        this.late = late;
    }

    static Trouble giving() {
        return new Trouble("null", null, false);
    }

    static Trouble throwing(Throwable failure) {
        return new Trouble(failure.getClass().getSimpleName(), failure, false);
    }

    /** The same, but a future is done only later, by another thread. */
    Trouble later() {
        return new Trouble(name + ", later", failure, true);
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Null, or what it throws, whatever the signature around allows. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    <T> T now() {
        if (failure != null) {
            throw Trouble.<RuntimeException>raise(failure);
        }
        return null;
    }

    boolean test() {
        now();
        return true;
    }

    @SuppressWarnings("NullAway")
    <T> CompletionStage<T> future() {
        CompletableFuture<T> future = new CompletableFuture<>();
        Runnable completion = () -> {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(failure);
            }
        };
        if (late) {
            new Thread(completion, "late").start();
        } else {
            completion.run();
        }
        return future;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException raise(Throwable failure) throws E {
        throw (E) failure;
    }

    @Override
    public String toString() {
        return name;
    }
}
