package io.millrace.broker;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import io.millrace.broker.protocol.StoredMessage;
import io.millrace.streams.stage.AsyncCallback;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A message that a subscription has delivered. It is delivered again until it is acknowledged. Immutable; its methods
 * may be called by any thread.
 */
public final class Delivery {
    /** How a delivery ended; without a receipt it is given back. */
    record Settlement(Delivery delivery, @Nullable CompletableFuture<Void> receipt) {}

    private final Position position;
    private final StoredMessage stored;
    private final Message message;
    private final int redeliveryCount;
    private final AsyncCallback<Settlement> source;

    Delivery(Position position, StoredMessage stored, int redeliveryCount, AsyncCallback<Settlement> source) {
        this.position = position;
        this.stored = stored;
        this.message = new Message(stored.payload(), stored.key(), stored.properties(), 0);
        this.redeliveryCount = redeliveryCount;
        this.source = source;
    }

    public Message message() {
        return message;
    }

    /** When its producer published it, in milliseconds since the epoch. */
    public long publishTimeMillis() {
        return stored.publishTimeMillis();
    }

    /** How often it was delivered before. */
    public int redeliveryCount() {
        return redeliveryCount;
    }

    /**
     * Acknowledges it. The receipt completes when the acknowledgement is durable, also when the source has stopped meanwhile. It fails with a
     * {@link BrokerException} if that is impossible, or the source had stopped before; the message is then delivered again. Where the subscription
     * ends meanwhile, the acknowledgement may have been stored all the same.
     */
    public CompletionStage<Void> ack() {
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        source.invokeWithFeedback(new Settlement(this, receipt)).whenComplete((done, stopped) -> {
            if (stopped != null) {
                receipt.completeExceptionally(stopped(stopped));
            }
        });
        return receipt;
    }

    /**
     * Gives it back, to be delivered again soon; messages that were published in one batch come back together. On Exclusive
     * and Failover subscriptions all that was delivered after it and is not acknowledged comes again with it, in order.
     */
    public void nack() {
        source.invoke(new Settlement(this, null));
    }

    Position position() {
        return position;
    }

    /** How many bytes its payload has. */
    int bytes() {
        return stored.payload().length;
    }

    /** The message alone, as an acknowledgement names it. */
    AckedPosition acked() {
        if (stored.place().size() == 1) {
            return AckedPosition.of(position);
        }
        BitSet others = new BitSet(stored.place().size());
        others.set(0, stored.place().size());
        others.clear(stored.place().index());
        return new AckedPosition(position, others.toLongArray());
    }

    private static BrokerException stopped(Throwable cause) {
        return new BrokerException(
                ErrorKind.SERVICE_NOT_READY,
                "the source has stopped: what it delivered and was not acknowledged comes again",
                cause);
    }

    @Override
    public String toString() {
        return "Delivery[" + position
                + (stored.place().size() > 1 ? ":" + stored.place().index() : "") + "]";
    }
}
