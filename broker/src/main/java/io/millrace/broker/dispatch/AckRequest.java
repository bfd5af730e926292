package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a consumer acknowledges in one command. */
public record AckRequest(Kind kind, List<AckedPosition> positions) {
    public AckRequest {
        positions = List.copyOf(positions);
    }

    /** Whether the named entries alone are acknowledged, or everything up to and with them. */
    public enum Kind {
        INDIVIDUAL,
        CUMULATIVE
    }

    /**
     * One acknowledged entry.
     *
     * @param ackSet set bits are the messages of the batch that are not acknowledged; null or empty for the whole entry
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record AckedPosition(Position position, long @Nullable [] ackSet) {
        /** A whole entry. */
        public static AckedPosition of(Position position) {
            return new AckedPosition(position, null);
        }
    }

    /** These entries, each as a whole. */
    public static AckRequest individual(List<Position> positions) {
        return new AckRequest(
                Kind.INDIVIDUAL, positions.stream().map(AckedPosition::of).toList());
    }

    /** Everything up to and with this entry. */
    public static AckRequest cumulative(Position upTo) {
        return new AckRequest(Kind.CUMULATIVE, List.of(AckedPosition.of(upTo)));
    }
}
