package io.millrace.broker.http;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A body that is too long to be held as a whole: each piece is asked for when the client has taken the one before. */
@FunctionalInterface
public interface Pieces {
    /** The next piece; null if that was all. Called by one thread at a time. */
    CompletionStage<@Nullable Piece> next();

    /** A part of the body. */
    @FunctionalInterface
    interface Piece {
        /** The bytes, not to be changed: made once, by the thread that sends them. */
        byte[] bytes();
    }
}
