package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandMessage;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.MessageMetadata;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** A connection whose every frame is held against the model. */
final class Client implements AutoCloseable {
    /** What is done with the answer to a request. */
    interface Answer {
        void on(BaseCommand answer);
    }

    /** An open producer, and what it has no receipt for. */
    static final class ProducerEnd {
        final long id;
        final TopicModel topic;
        final Published.Sender sender;
        final Deque<Published> awaiting = new ArrayDeque<>();
        boolean closing;

        ProducerEnd(long id, TopicModel topic, Published.Sender sender) {
            this.id = id;
            this.topic = topic;
            this.sender = sender;
        }
    }

    final Map<Long, ProducerEnd> producers = new TreeMap<>();
    /** Open consumers. */
    final Map<Long, SubscriptionModel> consumers = new TreeMap<>();

    private final World world;
    private final Line line;
    private final Map<Long, Answer> asked = new LinkedHashMap<>();
    private final Map<Long, String> questions = new HashMap<>();
    private boolean connected;

    Client(World world) throws IOException {
        this.world = world;
        line = new Line(world.port());
        world.await("CONNECTED", () -> {
            pump();
            return connected;
        });
    }

    /** Handles what has come; true if that was anything. */
    boolean pump() throws IOException {
        boolean any = false;
        for (Line.Frame frame = line.poll(); frame != null; frame = line.poll()) {
            handle(frame);
            any = true;
        }
        if (!any && line.hasEnded() && !world.isEnding()) {
            throw new ModelFailure("the broker closed the connection");
        }
        return any;
    }

    boolean hasEnded() {
        return line.hasEnded();
    }

    boolean isAnswered() {
        return asked.isEmpty() && producers.values().stream().allMatch(producer -> producer.awaiting.isEmpty());
    }

    /** What it waits for, in words. */
    String unanswered() {
        StringBuilder text = new StringBuilder("requests " + questions.values());
        producers.values().forEach(producer -> text.append(", receipts of " + producer.awaiting));
        return text.toString();
    }

    void ask(BaseCommand.Type type, ObjLongConsumer<BaseCommand> fill, Answer answer) throws IOException {
        long requestId = world.nextId();
        asked.put(requestId, answer);
        line.send(type, command -> {
            fill.accept(command, requestId);
            questions.put(requestId, type + " " + requestId);
        });
        world.note(questions.get(requestId));
    }

    void tell(BaseCommand.Type type, java.util.function.Consumer<BaseCommand> fill) throws IOException {
        line.send(type, fill);
    }

    void publish(ProducerEnd producer, Published published, byte[] frame) throws IOException {
        world.note("send " + published + " to " + producer.topic + ", " + frame.length + " bytes");
        producer.awaiting.add(published);
        producer.topic.send(published);
        line.write(frame);
    }

    private void handle(Line.Frame frame) {
        BaseCommand command = frame.command();
        switch (command.getType()) {
            case CONNECTED -> connected = true;
            case SEND_RECEIPT -> {
                MessageIdData id = command.getSendReceipt().getMessageId();
                Published published = answered(
                        command.getSendReceipt().getProducerId(),
                        command.getSendReceipt().getSequenceId());
                TopicModel topic = producers.get(command.getSendReceipt().getProducerId()).topic;
                world.note("receipt of #" + published.id + " at " + id.getLedgerId() + ":" + id.getEntryId());
                topic.learn(published, new Position(id.getLedgerId(), id.getEntryId()));
            }
            case SEND_ERROR -> {
                Published published = answered(
                        command.getSendError().getProducerId(),
                        command.getSendError().getSequenceId());
                world.note("refused #" + published.id + ": "
                        + command.getSendError().getMessage());
                world.requireFull(command.getSendError().getMessage());
                world.refusedIn(published.sender);
                published.fate = Published.Fate.NOWHERE;
            }
            case MESSAGE -> delivered(command.getMessage(), frame.rest());
            case CLOSE_CONSUMER -> closedByBroker(command.getCloseConsumer().getConsumerId());
            case CLOSE_PRODUCER -> {
                world.note(
                        "broker closes producer " + command.getCloseProducer().getProducerId());
                world.requireFull("a producer was closed by the broker");
                producers.remove(command.getCloseProducer().getProducerId());
            }
            case ACTIVE_CONSUMER_CHANGE -> {
                long consumerId = command.getActiveConsumerChange().getConsumerId();
                SubscriptionModel subscription = consumers.get(consumerId);
                if (subscription != null && !command.getActiveConsumerChange().isIsActive()) {
                    subscription.release(consumerId);
                }
            }
            case PING, PONG -> {}
            case ACK_RESPONSE -> answer(command.getAckResponse().getRequestId(), command);
            case SUCCESS -> answer(command.getSuccess().getRequestId(), command);
            case ERROR -> answer(command.getError().getRequestId(), command);
            case PRODUCER_SUCCESS -> answer(command.getProducerSuccess().getRequestId(), command);
            case CONSUMER_STATS_RESPONSE ->
                answer(command.getConsumerStatsResponse().getRequestId(), command);
            case GET_LAST_MESSAGE_ID_RESPONSE ->
                answer(command.getGetLastMessageIdResponse().getRequestId(), command);
            default -> throw new ModelFailure("nobody asked for " + command.getType());
        }
    }

    private Published answered(long producerId, long sequenceId) {
        ProducerEnd producer = producers.get(producerId);
        Published published = producer == null ? null : producer.awaiting.poll();
        if (published == null || published.id != sequenceId) {
            throw new ModelFailure("an answer to send " + sequenceId + " of producer " + producerId
                    + ", but the next one due is for " + published);
        }
        return published;
    }

    private void answer(long requestId, BaseCommand command) {
        Answer answer = asked.remove(requestId);
        String question = questions.remove(requestId);
        if (answer == null) {
            throw new ModelFailure("nobody waits for " + command.getType() + " to request " + requestId);
        }
        world.note(command.getType() + " to " + question
                + (command.hasError() ? ": " + command.getError().getMessage() : ""));
        answer.on(command);
    }

    private void closedByBroker(long consumerId) {
        SubscriptionModel subscription = consumers.remove(consumerId);
        world.note("broker closes consumer " + consumerId + " of " + subscription);
        if (subscription != null && subscription.moving == null && !subscription.loose && !world.isEnding()) {
            throw new ModelFailure("consumer " + consumerId + " of " + subscription + " was closed by the broker");
        }
    }

    private void delivered(CommandMessage message, byte[] rest) {
        SubscriptionModel subscription = consumers.get(message.getConsumerId());
        if (subscription == null) {
            return;
        }
        Position position = new Position(
                message.getMessageId().getLedgerId(), message.getMessageId().getEntryId());
        Published published = identify(subscription.topic, position, rest);
        BitSet left = new BitSet();
        left.set(0, published.messages());
        if (message.getAckSetsCount() > 0) {
            long[] words = new long[message.getAckSetsCount()];
            for (int i = 0; i < words.length; i++) {
                words[i] = message.getAckSetAt(i);
            }
            left.and(BitSet.valueOf(words));
        }
        world.note("consumer " + message.getConsumerId() + " of " + subscription + " gets " + published
                + (message.getAckSetsCount() > 0 ? " without " + (published.messages() - left.cardinality()) : ""));
        if (subscription.sharesEntries()
                && !subscription.delaysNothing
                && published.content.deliverAtMillis() > world.latestMillis()) {
            throw new ModelFailure(published + " comes before its time, " + world.latestMillis());
        }
        subscription.delivered(published, message.getConsumerId(), left);
    }

    /** Which message that is; it must be as it was sent. */
    static Published identify(TopicModel topic, Position position, byte[] rest) {
        MessageMetadata metadata = Published.metadata(rest);
        Published published = topic.find(metadata.getSequenceId());
        if (published == null || !java.util.Arrays.equals(published.content.bytes(), rest)) {
            throw new ModelFailure("what stands at " + position + " of " + topic + " is not what was sent as "
                    + published + ", sequence " + metadata.getSequenceId());
        }
        topic.learn(published, position);
        return published;
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
