package io.millrace.streams.operator;

import java.util.concurrent.CompletionException;

/** What a future failed with, without the wrapping that dependent futures add. */
final class FutureFailure {
    private FutureFailure() {}

    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
