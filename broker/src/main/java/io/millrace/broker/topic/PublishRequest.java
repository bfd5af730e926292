package io.millrace.broker.topic;

import io.millrace.broker.log.EntryHeader;
import io.netty.buffer.ByteBuf;

/**
 * An entry to store, with the client's numbers for it.
 *
 * @param highestSequenceId the number of the batch's last message; the entry's own number if it is no batch
 * @param data what the client sent after the command; owned by the holder of the request
 */
public record PublishRequest(long sequenceId, long highestSequenceId, EntryHeader header, ByteBuf data)
        implements ProducerCommand {
    /** The number that a refusal names: of a batch its last message's, which is what clients look for. */
    public long lastSequenceId() {
        return Math.max(sequenceId, highestSequenceId);
    }
}
