package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.OutOfMemory;
import io.millrace.wire.ServerError;
import java.util.concurrent.CompletionException;

/** Maps each refusal to its error code of the protocol. */
final class ErrorCodes {
    private ErrorCodes() {}

    static ServerError code(ErrorKind kind) {
        return switch (kind) {
            case CONSUMER_BUSY -> ServerError.ConsumerBusy;
            case CONSUMER_ASSIGN -> ServerError.ConsumerAssignError;
            case PRODUCER_BUSY -> ServerError.ProducerBusy;
            case PRODUCER_FENCED -> ServerError.ProducerFenced;
            case TENANT_NOT_FOUND, NAMESPACE_NOT_FOUND, TOPIC_NOT_FOUND, SCHEMA_NOT_FOUND -> ServerError.TopicNotFound;
            case SUBSCRIPTION_NOT_FOUND -> ServerError.SubscriptionNotFound;
            case INVALID_TOPIC_NAME -> ServerError.InvalidTopicName;
            // Clients give up at once on NotAllowedError, and know no error that says "unsupported".
            case NOT_ALLOWED, UNSUPPORTED, CONFLICT, IN_USE, POLICY_LIMIT -> ServerError.NotAllowedError;
            case INCOMPATIBLE_SCHEMA, INVALID_SCHEMA -> ServerError.IncompatibleSchema;
            case QUOTA_HELD -> ServerError.ProducerBlockedQuotaExceededError;
            case QUOTA_EXCEEDED -> ServerError.ProducerBlockedQuotaExceededException;
            case TOPIC_TERMINATED -> ServerError.TopicTerminatedError;
            case PERSISTENCE_ERROR -> ServerError.PersistenceError;
            case SERVICE_NOT_READY -> ServerError.ServiceNotReady;
            case TOO_MANY_REQUESTS -> ServerError.TooManyRequests;
            case CHECKSUM -> ServerError.ChecksumError;
        };
    }

    /**
     * The refusal behind a failure, without the wrapping of futures; an unexpected failure becomes SERVICE_NOT_READY.
     */
    static BrokerException refusal(Throwable failure) {
        OutOfMemory.tell(failure);
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof BrokerException refusal
                ? refusal
                : new BrokerException(ErrorKind.SERVICE_NOT_READY, "the broker failed: " + cause, cause);
    }
}
