package io.millrace.broker.log;

import io.millrace.broker.log.CursorDelta.AckBatch;
import io.millrace.broker.log.CursorDelta.AckEntries;
import io.millrace.broker.log.CursorDelta.AckUpTo;
import io.millrace.broker.log.CursorDelta.Reset;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Cursor deltas as bytes: a kind, then positions of two longs, or a position and the words of an ack set. */
final class DeltaCodec {
    private static final byte ACK_ENTRIES = 1;
    private static final byte ACK_UP_TO = 2;
    private static final byte ACK_BATCH = 3;
    private static final byte RESET = 4;
    private static final int POSITION_BYTES = 16;

    private DeltaCodec() {}

    static byte[] encode(CursorDelta delta) {
        if (delta instanceof AckEntries entries) {
            ByteBuffer bytes =
                    ByteBuffer.allocate(1 + POSITION_BYTES * entries.positions().size());
            bytes.put(ACK_ENTRIES);
            entries.positions().forEach(position -> put(bytes, position));
            return bytes.array();
        }
        if (delta instanceof AckBatch batch) {
            ByteBuffer bytes = ByteBuffer.allocate(1 + POSITION_BYTES + Long.BYTES * batch.ackSet().length);
            put(bytes.put(ACK_BATCH), batch.position());
            bytes.asLongBuffer().put(batch.ackSet());
            return bytes.array();
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 + POSITION_BYTES);
        if (delta instanceof AckUpTo upTo) {
            put(bytes.put(ACK_UP_TO), upTo.inclusive());
        } else if (delta instanceof Reset reset) {
            put(bytes.put(RESET), reset.markDelete());
        }
        return bytes.array();
    }

    static CursorDelta decode(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        byte kind = bytes.get();
        return switch (kind) {
            case ACK_ENTRIES -> {
                List<Position> positions = new ArrayList<>(bytes.remaining() / POSITION_BYTES);
                while (bytes.hasRemaining()) {
                    positions.add(position(bytes));
                }
                yield new AckEntries(positions);
            }
            case ACK_UP_TO -> new AckUpTo(position(bytes));
            case ACK_BATCH -> {
                Position position = position(bytes);
                long[] ackSet = new long[bytes.remaining() / Long.BYTES];
                bytes.asLongBuffer().get(ackSet);
                yield new AckBatch(position, ackSet);
            }
            case RESET -> new Reset(position(bytes));
            default -> throw new IllegalStateException("unknown kind of cursor delta: " + kind);
        };
    }

    private static void put(ByteBuffer bytes, Position position) {
        bytes.putLong(position.ledgerId()).putLong(position.entryId());
    }

    private static Position position(ByteBuffer bytes) {
        return new Position(bytes.getLong(), bytes.getLong());
    }
}
