package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogUnavailableException;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.OutOfMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How topics handle a refusal by the log, and what the client is told. */
final class LogRefusal {
    private LogRefusal() {}

    /** Starts an operation of the log; a log that refuses it at once, as it fails or as that is too large, fails the future too. */
    static <T> CompletionStage<T> caught(Supplier<CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (LogUnavailableException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Throws unless the topic takes entries, so that a producer's client knows before it sends anything. */
    static void requireWritable(TopicName topic, TopicLog log) {
        try {
            log.checkAppendable();
        } catch (LogUnavailableException e) {
            throw of("topic " + topic, e);
        }
    }

    /** The refusal itself if the failure is one, else a persistence error with the failure as its cause. */
    static BrokerException of(String what, @Nullable Throwable failure) {
        OutOfMemory.tell(failure);
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BrokerException refusal) {
            return refusal;
        }
        if (cause == null) {
            return new BrokerException(ErrorKind.PERSISTENCE_ERROR, what + " is not available");
        }
        return new BrokerException(
                ErrorKind.PERSISTENCE_ERROR, what + " is not available: " + cause.getMessage(), cause);
    }
}
