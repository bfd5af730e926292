package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.netty.buffer.ByteBuf;

/**
 * Reads the command at the start of a frame.
 *
 * <pre>
 *  +------------------+-------------+-------------------------------+
 *  | command bytes: 4 | BaseCommand | for SEND: message (see there) |
 *  +------------------+-------------+-------------------------------+
 * </pre>
 *
 * One command object is used for all frames: single-threaded.
 */
final class CommandReader {
    private static final int SCRATCH_COMMAND_BYTES = 16 << 10;
    private static final int TYPE_TAG = 0x08;
    private static final int VARINT_MORE = 0x80;

    private final BaseCommand scratch = new BaseCommand();
    private final SendCommand send = new SendCommand();
    private int commandBytes;
    private int type;

    /** Starts with a frame: the number of its command's type if the protocol has no such type; -1 otherwise. */
    int unknownType(ByteBuf frame) throws MalformedFrameException {
        type = -1;
        int readable = frame.readableBytes();
        commandBytes = readable < Integer.BYTES ? -1 : frame.readInt();
        if (commandBytes < 0 || commandBytes > readable - Integer.BYTES) {
            throw new MalformedFrameException("a command of " + commandBytes + " bytes in a frame of " + readable);
        }
        int at = frame.readerIndex();
        if (commandBytes < 2 || frame.getByte(at) != TYPE_TAG) {
            return -1;
        }
        type = frame.getUnsignedByte(at + 1);
        if (type >= VARINT_MORE) {
            int high = commandBytes < 3 ? VARINT_MORE : frame.getUnsignedByte(at + 2);
            if (high >= VARINT_MORE) {
                return -1;
            }
            type = (type & 0x7f) | (high << 7);
        }
        return BaseCommand.Type.valueOf(type) == null ? type : -1;
    }

    /** Whether the frame's command is a SEND, which has its own reader. */
    boolean isSend() {
        return type == BaseCommand.Type.SEND_VALUE;
    }

    /** The frame's SEND, valid until the next one is read; the message after it is not read. */
    SendCommand readSend(ByteBuf frame) throws MalformedFrameException {
        send.read(frame, frame.readerIndex(), commandBytes);
        frame.skipBytes(commandBytes);
        return send;
    }

    /** The frame's command, valid until the next one is read; the rest of the frame is not read. */
    BaseCommand read(ByteBuf frame) throws MalformedFrameException {
        BaseCommand command = commandBytes > SCRATCH_COMMAND_BYTES ? new BaseCommand() : scratch;
        int end = frame.readerIndex() + commandBytes;
        try {
            command.parseFrom(frame, commandBytes);
        } catch (RuntimeException e) {
            throw new MalformedFrameException("a command does not parse: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new MalformedFrameException("a command's fields lie too deep within each other", e);
        }
        if (frame.readerIndex() != end) {
            throw new MalformedFrameException("a command's fields go on behind its end");
        }
        if (!hasBody(command)) {
            throw new MalformedFrameException("a " + command.getType() + " without its fields");
        }
        return command;
    }

    private static boolean hasBody(BaseCommand command) {
        return switch (command.getType()) {
            case CONNECT -> command.hasConnect();
            case ACK -> command.hasAck();
            case FLOW -> command.hasFlow();
            case REDELIVER_UNACKNOWLEDGED_MESSAGES -> command.hasRedeliverUnacknowledgedMessages();
            case PARTITIONED_METADATA -> command.hasPartitionMetadata();
            case LOOKUP -> command.hasLookupTopic();
            case PRODUCER -> command.hasProducer();
            case CLOSE_PRODUCER -> command.hasCloseProducer();
            case SUBSCRIBE -> command.hasSubscribe();
            case CLOSE_CONSUMER -> command.hasCloseConsumer();
            case UNSUBSCRIBE -> command.hasUnsubscribe();
            case SEEK -> command.hasSeek();
            case GET_LAST_MESSAGE_ID -> command.hasGetLastMessageId();
            case CONSUMER_STATS -> command.hasConsumerStats();
            case GET_TOPICS_OF_NAMESPACE -> command.hasGetTopicsOfNamespace();
            case WATCH_TOPIC_LIST -> command.hasWatchTopicList();
            case WATCH_TOPIC_LIST_CLOSE -> command.hasWatchTopicListClose();
            case GET_SCHEMA -> command.hasGetSchema();
            case GET_OR_CREATE_SCHEMA -> command.hasGetOrCreateSchema();
            case TC_CLIENT_CONNECT_REQUEST -> command.hasTcClientConnectRequest();
            case NEW_TXN -> command.hasNewTxn();
            case ADD_PARTITION_TO_TXN -> command.hasAddPartitionToTxn();
            case ADD_SUBSCRIPTION_TO_TXN -> command.hasAddSubscriptionToTxn();
            case END_TXN -> command.hasEndTxn();
            case END_TXN_ON_PARTITION -> command.hasEndTxnOnPartition();
            case END_TXN_ON_SUBSCRIPTION -> command.hasEndTxnOnSubscription();
            default -> true;
        };
    }
}
