package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a client is told when something could not be opened. */
final class OpeningFailure {
    private OpeningFailure() {}

    /** The refusal itself if that is what failed it, else a persistence error that keeps the cause. */
    static BrokerException of(String what, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BrokerException refusal) {
            return refusal;
        }
        if (cause == null) {
            return new BrokerException(ErrorKind.PERSISTENCE_ERROR, what + " could not be opened");
        }
        return new BrokerException(
                ErrorKind.PERSISTENCE_ERROR, what + " could not be opened: " + cause.getMessage(), cause);
    }
}
