package io.millrace.broker.topic;

import io.millrace.broker.log.EntryHeader;
import io.netty.buffer.ByteBuf;

/**
 * An entry to store, with the client's numbers for it.
 *
 * @param highestSequenceId the number of the batch's last message; that of the entry for one that is no batch
 * @param data what the client sent after the command; owned by whoever holds the request
 */
public record PublishRequest(long sequenceId, long highestSequenceId, EntryHeader header, ByteBuf data)
        implements ProducerCommand {}
