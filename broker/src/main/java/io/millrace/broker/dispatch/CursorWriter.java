package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorDelta;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs acknowledgements, combined per turn, and completes receipts when the log says that they are durable. Those that
 * the log refuses are kept and logged again with the next acknowledgement, so that no later receipt can overtake them.
 */
final class CursorWriter {
    private static final Logger LOG = LoggerFactory.getLogger(CursorWriter.class);
    private static final int MAX_POSITIONS_PER_DELTA = 4096;

    private final String subscription;
    private final @Nullable CursorLog log;
    private final CursorState cursor;
    private final AckReceipts receipts = new AckReceipts();

    private @Nullable Position upTo;
    private List<Position> entries = new ArrayList<>();
    private Set<Position> partly = new LinkedHashSet<>();
    private boolean dirty;
    private boolean refused;
    private @Nullable Throwable failure;

    /** Without a log, for subscriptions that are not durable, everything counts as durable at once. */
    CursorWriter(String subscription, @Nullable CursorLog log, CursorState cursor) {
        this.subscription = subscription;
        this.log = log;
        this.cursor = cursor;
    }

    /** These entries were acknowledged as a whole, on the live cursor. */
    void acked(List<Position> positions) {
        if (isLogged() && !positions.isEmpty()) {
            entries.addAll(positions);
            dirty = true;
        }
    }

    /** Everything up to and with this entry was acknowledged, on the live cursor. */
    void ackedUpTo(Position position) {
        if (isLogged()) {
            upTo = upTo == null || position.compareTo(upTo) > 0 ? position : upTo;
            dirty = true;
        }
    }

    /** Some messages of this entry were acknowledged, on the live cursor. */
    void ackedPartly(Position position) {
        if (isLogged()) {
            partly.add(position);
            dirty = true;
        }
    }

    /** Completes the receipt when all that was acknowledged so far is durable. */
    void receiptFor(CompletableFuture<Void> receipt) {
        receipts.ask(receipt);
        dirty = true;
    }

    /** Logs the acknowledgements gathered so far; their receipts fail when the log refuses them. */
    void flush() {
        if (!dirty) {
            return;
        }
        dirty = false;
        if (failure != null) {
            receipts.refuse(persistenceError(failure));
            return;
        }
        try {
            append();
            refused = false;
            receipts.asLogged();
        } catch (RuntimeException unavailable) {
            refuse(unavailable);
        }
    }

    /**
     * Logs a new position of the whole subscription; throws PERSISTENCE_ERROR, without any change, if the log refuses.
     */
    void reset(Position markDelete, CompletableFuture<Void> reply) {
        flush();
        if (log != null) {
            try {
                receipts.logged(log.append(new CursorDelta.Reset(markDelete)));
            } catch (RuntimeException unavailable) {
                throw new BrokerException(
                        ErrorKind.PERSISTENCE_ERROR,
                        "subscription " + subscription + " was not moved: " + unavailable.getMessage(),
                        unavailable);
            }
        }
        forget();
        receiptFor(reply);
    }

    /** The log has made everything up to this number durable. */
    void durable(long number) {
        receipts.durable(number);
    }

    /** The log will never make anything more durable. */
    void failed(Throwable cause) {
        LOG.error("{}: acknowledgements can no longer be made durable", subscription, cause);
        failure = cause;
        forget();
        receipts.fail(persistenceError(cause));
    }

    /** Fails all receipts that still wait, because the dispatcher has ended. */
    void abandon() {
        receipts.fail(new BrokerException(
                ErrorKind.SERVICE_NOT_READY, "subscription " + subscription + " closed before this was durable"));
    }

    /** Whether no receipt waits for durability. */
    boolean isSettled() {
        return receipts.isSettled();
    }

    /** Whether the log took every acknowledgement, and no receipt waits for durability. */
    boolean isInLog() {
        return failure == null && isSettled() && unlogged() == 0;
    }

    /** How many acknowledgements wait to be logged. */
    int unlogged() {
        return entries.size() + partly.size() + (upTo == null ? 0 : 1);
    }

    /** Whether acknowledgements are gathered: once the log has failed, they would be for ever. */
    private boolean isLogged() {
        return log != null && failure == null;
    }

    private void forget() {
        upTo = null;
        entries = new ArrayList<>();
        partly = new LinkedHashSet<>();
    }

    private void append() {
        if (log == null) {
            return;
        }
        if (upTo != null) {
            receipts.logged(log.append(new CursorDelta.AckUpTo(upTo)));
            upTo = null;
        }
        while (!entries.isEmpty()) {
            List<Position> some = entries.subList(0, Math.min(entries.size(), MAX_POSITIONS_PER_DELTA));
            receipts.logged(log.append(new CursorDelta.AckEntries(List.copyOf(some))));
            some.clear();
        }
        while (!partly.isEmpty()) {
            Position first = partly.iterator().next();
            long[] ackSet = cursor.ackSet(first);
            if (ackSet != null) {
                receipts.logged(log.append(new CursorDelta.AckBatch(first, ackSet)));
            }
            partly.remove(first);
        }
    }

    private void refuse(RuntimeException unavailable) {
        if (!refused) {
            refused = true;
            LOG.warn("{}: acknowledgements are not durable for now", subscription, unavailable);
        }
        receipts.refuse(persistenceError(unavailable));
    }

    private BrokerException persistenceError(Throwable cause) {
        return new BrokerException(
                ErrorKind.PERSISTENCE_ERROR,
                "acknowledgement on subscription " + subscription + " is not durable: " + cause.getMessage(),
                cause);
    }
}
