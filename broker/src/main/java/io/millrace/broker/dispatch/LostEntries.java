package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorDelta;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledges entries that a read should have found and did not, because of damage: nobody else ever would, and all
 * behind them would be kept for ever. Single owner.
 */
final class LostEntries {
    private static final Logger LOG = LoggerFactory.getLogger(LostEntries.class);

    private final String subscription;
    private final TopicLog log;
    private final CursorState cursor;
    private final Acknowledgements.Held held;
    private final CursorWriter writer;

    LostEntries(
            String subscription, TopicLog log, CursorState cursor, Acknowledgements.Held held, CursorWriter writer) {
        this.subscription = subscription;
        this.log = log;
        this.cursor = cursor;
        this.held = held;
        this.writer = writer;
    }

    /**
     * Those among them that a consumer has, or that wait, are left to it. Those that the disk failed to read are read again
     * after a restart.
     */
    void pass(List<Position> positions) {
        List<Position> lost =
                positions.stream().filter(position -> isLost(position)).toList();
        if (!lost.isEmpty()) {
            LOG.warn(
                    "{}: entries {} to {} cannot be read and count as acknowledged, {} of them",
                    subscription,
                    lost.get(0),
                    lost.get(lost.size() - 1),
                    lost.size());
            cursor.apply(new CursorDelta.AckEntries(lost));
            writer.acked(lost);
        }
    }

    private boolean isLost(Position position) {
        return position.entryId() <= log.lastEntryOf(position.ledgerId())
                && !log.isUnreadable(position.ledgerId())
                && !cursor.isAcked(position)
                && !held.contains(position);
    }
}
