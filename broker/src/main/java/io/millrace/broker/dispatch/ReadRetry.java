package io.millrace.broker.dispatch;

import io.millrace.broker.log.ReadMemoryException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a subscription does about a read of its log that brought nothing: it is tried again. If there was no memory for
 * it, those that it was for are asked whether they are alive: one that is not would keep what others wait for.
 */
final class ReadRetry {
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(ReadRetry.class);

    private final String subscription;
    private final Consumers consumers;
    private final DispatcherContext context;

    ReadRetry(String subscription, Consumers consumers, DispatcherContext context) {
        this.subscription = subscription;
        this.consumers = consumers;
        this.context = context;
    }

    /**
     * Runs {@code again} after the delay.
     *
     * @param failure null if nothing was found
     * @param what the read, for people
     */
    void later(@Nullable Throwable failure, String what, Runnable again) {
        if (ReadMemoryException.isIn(failure)) {
            consumers.askReady();
        } else {
            LOG.warn("{}: {} read nothing, trying again in {}", subscription, what, DELAY, failure);
        }
        context.later(again, DELAY);
    }
}
