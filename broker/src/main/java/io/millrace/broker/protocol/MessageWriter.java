package io.millrace.broker.protocol;

import io.millrace.broker.log.Entry;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandMessage;
import io.millrace.wire.MessageIdData;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.BooleanSupplier;

/**
 * Writes MESSAGE frames. Headers and small messages are copied to the output's shared buffer. A large message is
 * written as it is stored, without a copy, unless it must wait for the client and would keep much more memory in use
 * meanwhile. Clients that do not take checksums get the bytes behind them. Owned by the connection's event loop.
 */
final class MessageWriter {
    private static final int COPY_BYTES = 2 << 10;

    private final Channel channel;
    private final Output output;
    private final BooleanSupplier takesChecksums;
    private final BaseCommand command = new BaseCommand();

    MessageWriter(Channel channel, Output output, BooleanSupplier takesChecksums) {
        this.channel = channel;
        this.output = output;
        this.takesChecksums = takesChecksums;
    }

    /**
     * Writes all entries of a batch and releases their references.
     *
     * @param partition which partition of a topic they are of, -1 if of none: some clients take the partition of a message's id from here
     */
    void write(long consumerId, int partition, DeliveryBatch batch) {
        try {
            boolean isCongested = isCongested();
            for (int i = 0; i < batch.count(); i++) {
                BaseCommand header = header(consumerId, partition, batch, i);
                Entry entry = batch.take(i);
                try {
                    append(header, entry.data(), isCongested);
                } finally {
                    entry.release();
                }
            }
        } finally {
            batch.discard();
        }
    }

    private BaseCommand header(long consumerId, int partition, DeliveryBatch batch, int i) {
        CommandMessage message =
                command.clear().setType(BaseCommand.Type.MESSAGE).setMessage();
        message.setConsumerId(consumerId);
        MessageIdData id = Replies.fill(message.setMessageId(), batch.position(i));
        if (partition >= 0) {
            id.setPartition(partition);
        }
        if (batch.redeliveryCount(i) > 0) {
            message.setRedeliveryCount(batch.redeliveryCount(i));
        }
        long[] ackSet = batch.ackSet(i);
        if (ackSet != null) {
            for (long word : ackSet) {
                message.addAckSet(word);
            }
        }
        if (batch.consumerEpoch() >= 0) {
            message.setConsumerEpoch(batch.consumerEpoch());
        }
        return command;
    }

    /** Whether the client has not yet taken what was flushed before. */
    private boolean isCongested() {
        ChannelOutboundBuffer output = channel.unsafe().outboundBuffer();
        return output != null && output.size() > 0;
    }

    private void append(BaseCommand header, ByteBuf data, boolean isCongested) {
        int headerBytes = header.getSerializedSize();
        int skippedBytes = takesChecksums.getAsBoolean() ? 0 : PublishedMessage.checksumBytes(data);
        int dataBytes = data.readableBytes() - skippedBytes;
        boolean isCopied = dataBytes <= COPY_BYTES || (isCongested && BackingMemory.overpins(data));
        ByteBuf out = output.room(2 * Integer.BYTES + headerBytes + (isCopied ? dataBytes : 0));
        out.writeInt(Integer.BYTES + headerBytes + dataBytes);
        out.writeInt(headerBytes);
        header.writeTo(out);
        if (isCopied) {
            out.writeBytes(data, data.readerIndex() + skippedBytes, dataBytes);
        } else {
            output.write(data.retainedDuplicate().skipBytes(skippedBytes));
        }
    }
}
