package io.millrace.streams.engine.failure;

/** Throws what a signature does not name, as that of an iterator; whoever calls expects it. */
public final class Unchecked {
    private Unchecked() {}

    /** Throws the same exception; the result is for a {@code throw}, so that the compiler knows. */
    public static RuntimeException of(Throwable failure) {
        return Unchecked.<RuntimeException>raise(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException raise(Throwable failure) throws E {
        throw (E) failure;
    }
}
