package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Response;
import io.millrace.broker.log.LogUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The status of each refusal, as Pulsar's broker has it. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private static final int UNAVAILABLE = 503;

    private Refusals() {}

    static Response of(Throwable failure) {
        if (failure instanceof BrokerException refusal) {
            return Response.refusal(status(refusal.kind()), String.valueOf(refusal.getMessage()));
        }
        if (failure instanceof LogUnavailableException) {
            return Response.refusal(UNAVAILABLE, String.valueOf(failure.getMessage()));
        }
        LOG.error("an HTTP request failed", failure);
        return Response.refusal(500, "the broker failed: " + failure);
    }

    static int status(ErrorKind kind) {
        return switch (kind) {
            case TENANT_NOT_FOUND, NAMESPACE_NOT_FOUND, TOPIC_NOT_FOUND, SUBSCRIPTION_NOT_FOUND, SCHEMA_NOT_FOUND ->
                404;
            case NOT_ALLOWED, UNSUPPORTED, TOPIC_TERMINATED -> 405;
            case CONFLICT, INCOMPATIBLE_SCHEMA -> 409;
            case INVALID_SCHEMA -> 422;
            case INVALID_TOPIC_NAME,
                    IN_USE,
                    CONSUMER_BUSY,
                    CONSUMER_ASSIGN,
                    PRODUCER_BUSY,
                    PRODUCER_FENCED,
                    POLICY_LIMIT,
                    QUOTA_HELD,
                    QUOTA_EXCEEDED -> 412;
            case TOO_MANY_REQUESTS -> 429;
            case PERSISTENCE_ERROR, CHECKSUM -> 500;
            case SERVICE_NOT_READY -> 503;
        };
    }
}
