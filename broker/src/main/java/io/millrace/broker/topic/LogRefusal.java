package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogUnavailableException;
import io.millrace.broker.log.TopicLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How topics meet a log that refuses, and what a client is told then. */
final class LogRefusal {
    private LogRefusal() {}

    /** Starts an operation of the log; a log that refuses it at once fails the future too. */
    static <T> CompletionStage<T> caught(Supplier<CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (LogUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Throws unless the topic takes entries, so that a producer's client hears of it before it has sent anything. */
    static void requireWritable(TopicName topic, TopicLog log) {
        try {
            log.checkAppendable();
        } catch (LogUnavailableException e) {
            throw of("topic " + topic, e);
        }
    }

    /** The refusal itself if that is what failed it, else a persistence error that keeps the cause. */
    static BrokerException of(String what, @Nullable Throwable failure) {
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
