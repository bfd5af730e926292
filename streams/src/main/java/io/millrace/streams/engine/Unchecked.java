package io.millrace.streams.engine;

/** Throws what an iterator's signature does not name; whoever takes the elements expects it. */
public final class Unchecked {
    private Unchecked() {}

    /** Throws the same exception; the result is for a {@code throw}, so that the compiler knows. */
    public static RuntimeException of(Exception e) {
        return Unchecked.<RuntimeException>raise(e);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> RuntimeException raise(Exception e) throws E {
        throw (E) e;
    }
}
