package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.Throttle;
import io.millrace.broker.topic.AppliedPolicies.Publishing;
import org.jspecify.annotations.Nullable;

/** What policies make of the publishes of a topic. Owned by the stage that takes them, which pulls no more while it is to wait. */
final class PublishGovernor {
    private final Publishing policies;
    private final Throttle throttle;

    private PublishGovernor(Publishing policies, long nowNanos) {
        this.policies = policies;
        throttle = new Throttle(policies.rate(), nowNanos);
    }

    /** Null where there is nothing to do. */
    static @Nullable PublishGovernor of(Publishing policies, long nowNanos) {
        return policies.equals(Publishing.NONE) ? null : new PublishGovernor(policies, nowNanos);
    }

    /** Counts a publish, or refuses it. */
    Publish admit(Publish publish) {
        if (publish.refusal() != null) {
            return publish;
        }
        PublishRequest request = publish.request();
        int bytes = request.data().readableBytes();
        BrokerException refusal = refusal(request, bytes);
        if (refusal != null) {
            return publish.refused(refusal);
        }
        throttle.passed(request.header().messageCount(), bytes);
        return publish;
    }

    private @Nullable BrokerException refusal(PublishRequest request, int bytes) {
        boolean isWhole = !request.header().isChunked(); // chunks are as large as the broker lets them be
        if (isWhole && policies.maxMessageBytes() > 0 && bytes > policies.maxMessageBytes()) {
            return new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Exceed maximum message size: " + bytes + " bytes, and the policy of the topic allows "
                            + policies.maxMessageBytes());
        }
        long delayMillis = request.header().deliverAtMillis() - request.header().publishTimeMillis();
        if (policies.maxDelayMillis() > 0 && delayMillis > policies.maxDelayMillis()) {
            return new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Exceeds max allowed delivery delay of " + policies.maxDelayMillis() + " milliseconds: "
                            + delayMillis);
        }
        return null;
    }

    /** How long until the next publish may be taken, in nanoseconds; 0 for now. */
    long waitNanos(long nowNanos) {
        return throttle.waitNanos(nowNanos);
    }
}
