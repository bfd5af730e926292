package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.broker.model.Client.ProducerEnd;
import io.millrace.broker.protocol.WireFrames;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.InitialPosition;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One life of the broker as its clients lead it: one connection publishes, another consumes. */
final class Life {
    static final int PLENTY = 5_000;
    /** How long after its time a delayed entry may come. */
    static final long LATEST_TICK_MILLIS = 1_250;

    private static final SubType[] TYPES = SubType.values();
    /** Sizes of entries at which buffers and files of the log end, and others. */
    private static final int[] EDGES = {0, 1, 100, 512, 1_024, 2_048, 4_096, 6 * 1_024};

    private static final int FRAME_BYTES = 120;

    final World world;
    final Random random;
    Client publishing;
    Client consuming;

    Life(World world, Random random) throws IOException {
        this.world = world;
        this.random = random;
        publishing = connect();
        consuming = connect();
    }

    private Client connect() throws IOException {
        Client client = new Client(world);
        world.clients.add(client);
        return client;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Opens the producer of that name if it is not open. */
    void openProducer(TopicModel topic, String name) throws IOException {
        boolean open = publishing.producers.values().stream()
                .anyMatch(end -> end.topic == topic && end.sender.producer().equals(name));
        if (open) {
            return;
        }
        long id = world.nextId();
        Client client = publishing;
        client.ask(
                BaseCommand.Type.PRODUCER,
                (command, requestId) -> command.setProducer()
                        .setProducerId(id)
                        .setTopic(topic.name)
                        .setProducerName(name)
                        .setUserProvidedProducerName(true)
                        .setRequestId(requestId),
                answer -> {
                    if (answer.getType() == BaseCommand.Type.PRODUCER_SUCCESS) {
                        Published.Sender sender = new Published.Sender(name, (int) id);
                        client.producers.put(id, new ProducerEnd(id, topic, sender));
                    } else if (answer.getError().getError() != ServerError.ProducerBusy) {
                        world.requireFull(answer.getError().getMessage());
                    }
                });
    }

    /** Closes it; its name can be used again after the answer. */
    void closeProducer(ProducerEnd producer) throws IOException {
        if (!producer.closing) {
            world.deeds.add(Deed.CLOSE_PRODUCER);
            producer.closing = true;
            Client client = publishing;
            client.ask(
                    BaseCommand.Type.CLOSE_PRODUCER,
                    (command, requestId) -> command.setCloseProducer()
                            .setProducerId(producer.id)
                            .setRequestId(requestId),
                    answer -> {
                        if (answer.getType() != BaseCommand.Type.SUCCESS || !producer.awaiting.isEmpty()) {
                            throw new ModelFailure(
                                    "closed with " + answer.getType() + " before the receipts of " + producer.awaiting);
                        }
                        client.producers.remove(producer.id);
                    });
        }
    }

    /** Sends one message of any kind, or a chunked one. */
    void publish(ProducerEnd producer) throws IOException {
        String key = random.nextInt(3) == 0 ? null : "key-" + random.nextInt(4);
        long delayMillis = random.nextInt(12) > 0 ? 0 : random.nextBoolean() ? random.nextInt(300) : 60_000;
        int kind = random.nextInt(8);
        if (kind == 0) {
            world.deeds.add(Deed.PUBLISH_CHUNKS);
            int chunks = 2 + random.nextInt(3);
            for (int i = 0; i < chunks; i++) {
                int chunk = i;
                send(
                        producer,
                        new Wanted(key, 1, 0),
                        m -> m.setUuid("chunked-" + world.nextId())
                                .setNumChunksFromMsg(chunks)
                                .setTotalChunkMsgSize(1 << 20)
                                .setChunkId(chunk));
            }
        } else if (kind == 1) {
            world.deeds.add(Deed.PUBLISH_BATCH);
            int messages = random.nextInt(4) == 0 ? 63 + random.nextInt(4) : 2 + random.nextInt(8);
            send(producer, new Wanted(key, messages, delayMillis), m -> m.setNumMessagesInBatch(messages));
        } else {
            world.deeds.add(Deed.PUBLISH);
            send(producer, new Wanted(key, 1, delayMillis), m -> {});
        }
    }

    /** Sends one message without key or delay. */
    void publishPlain(ProducerEnd producer) throws IOException {
        send(producer, new Wanted(null, 1, 0), m -> {});
    }

    /** What is to be published; a delay of 0 is none. */
    private record Wanted(String key, int messages, long delayMillis) {}

    private void send(ProducerEnd producer, Wanted wanted, java.util.function.Consumer<MessageMetadata> more)
            throws IOException {
        long id = world.nextId();
        MessageMetadata metadata = new MessageMetadata()
                .setProducerName(producer.sender.producer())
                .setSequenceId(id)
                .setPublishTime(1_700_000_000_000L + id);
        if (wanted.key() != null) {
            world.deeds.add(Deed.PUBLISH_KEYED);
            metadata.setPartitionKey(wanted.key());
        }
        long deliverAt = wanted.delayMillis() == 0 ? 0 : world.nowMillis() + wanted.delayMillis();
        if (deliverAt > 0) {
            world.deeds.add(Deed.PUBLISH_DELAYED);
            metadata.setDeliverAtTime(deliverAt);
        }
        more.accept(metadata);
        int edge = EDGES[random.nextInt(random.nextInt(3) == 0 ? EDGES.length : 4)];
        byte[] payload = new byte[Math.max(0, edge - random.nextInt(FRAME_BYTES))];
        Arrays.fill(payload, (byte) ('a' + id % 26));
        byte[] message = WireFrames.message(metadata, new String(payload, java.nio.charset.StandardCharsets.US_ASCII));
        Published.Content content =
                new Published.Content(wanted.key(), wanted.messages(), metadata.getPublishTime(), deliverAt, message);
        Published published = new Published(id, producer.sender, content);
        publishing.publish(producer, published, WireFrames.send(producer.id, id, message));
    }

    /** Attaches a consumer; to a subscription that has one, of its type. */
    void subscribe(SubscriptionModel subscription, boolean earliest) throws IOException {
        if (subscription.moving != null || subscription.attaching) {
            return;
        }
        boolean first = !consuming.consumers.containsValue(subscription);
        if (!first && subscription.type == SubType.Exclusive) {
            return;
        }
        if (first) {
            subscription.restart();
            subscription.type = TYPES[random.nextInt(TYPES.length)];
        }
        world.deeds.add(deedOf(subscription.type));
        if (!first) {
            world.deeds.add(Deed.JOIN_OTHERS);
            subscription.crowded = true;
        }
        subscription.delaysNothing |= !subscription.sharesEntries();
        boolean creates = subscription.existence == SubscriptionModel.Existence.NO;
        if (creates) {
            Map<Published, Boolean> before = new HashMap<>();
            subscription.topic.sent().forEach(p -> before.put(p, p.isStored()));
            subscription.startMove(p -> earliest
                    ? subscription.topic.isKept(p) ? SubscriptionModel.Debt.OWED : SubscriptionModel.Debt.MAYBE
                    : before.getOrDefault(p, false) ? SubscriptionModel.Debt.GONE : SubscriptionModel.Debt.MAYBE);
        }
        attach(subscription, earliest, creates);
    }

    private static Deed deedOf(SubType type) {
        return switch (type) {
            case Exclusive -> Deed.SUBSCRIBE_EXCLUSIVE;
            case Shared -> Deed.SUBSCRIBE_SHARED;
            case Failover -> Deed.SUBSCRIBE_FAILOVER;
            case Key_Shared -> Deed.SUBSCRIBE_KEY_SHARED;
        };
    }

    private void attach(SubscriptionModel subscription, boolean earliest, boolean creates) throws IOException {
        long id = world.nextId();
        Client client = consuming;
        SubType type = subscription.type;
        subscription.attaching = true;
        client.ask(
                BaseCommand.Type.SUBSCRIBE,
                (command, requestId) -> command.setSubscribe()
                        .setConsumerId(id)
                        .setTopic(subscription.topic.name)
                        .setSubscription(subscription.name)
                        .setSubType(type)
                        .setInitialPosition(earliest ? InitialPosition.Earliest : InitialPosition.Latest)
                        .setRequestId(requestId),
                answer -> {
                    subscription.attaching = false;
                    boolean done = answer.getType() == BaseCommand.Type.SUCCESS;
                    if (done) {
                        subscription.deserted = false;
                        client.consumers.put(id, subscription);
                    } else if (subscription.deserted && isBusy(answer)) {
                        attachAgain(subscription, earliest, creates);
                        return;
                    } else {
                        world.requireFull(
                                subscription + ": " + answer.getError().getMessage());
                    }
                    if (creates) {
                        created(subscription, done);
                    } else if (done) {
                        subscription.existence = SubscriptionModel.Existence.YES;
                    }
                });
    }

    private static boolean isBusy(BaseCommand answer) {
        return answer.hasError() && answer.getError().getError() == ServerError.ConsumerBusy;
    }

    private void attachAgain(SubscriptionModel subscription, boolean earliest, boolean creates) {
        try {
            attach(subscription, earliest, creates);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void created(SubscriptionModel subscription, boolean surely) {
        if (surely) {
            subscription.moved();
            subscription.existence = SubscriptionModel.Existence.YES;
        } else {
            subscription.movedPerhaps();
            subscription.existence = SubscriptionModel.Existence.MAYBE;
        }
    }

    /** Gives every consumer permits for all there is. */
    void flow(int permits) throws IOException {
        for (long id : consuming.consumers.keySet()) {
            consuming.tell(
                    BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(id).setMessagePermits(permits));
        }
    }

    void closeConsumer(long id) throws IOException {
        SubscriptionModel subscription = consuming.consumers.remove(id);
        world.deeds.add(Deed.CLOSE_CONSUMER);
        subscription.release(id);
        consuming.ask(
                BaseCommand.Type.CLOSE_CONSUMER,
                (command, requestId) ->
                        command.setCloseConsumer().setConsumerId(id).setRequestId(requestId),
                answer -> {});
        world.note("that is consumer " + id + " of " + subscription);
    }

    /** Every answer is there, and every consumer has all it must have. */
    void settle() throws IOException {
        world.awaitAnswers();
        for (SubscriptionModel subscription : world.subscriptions()) {
            if (subscription.loose) {
                changeConsumers(subscription);
            }
        }
        world.awaitAnswers();
        long now = world.nowMillis() - LATEST_TICK_MILLIS;
        flow(PLENTY);
        for (SubscriptionModel subscription : new ArrayList<>(consuming.consumers.values())) {
            if (!subscription.loose && subscription.moving == null) {
                awaitEverything(subscription, now);
            }
        }
    }

    /** All consumers of a subscription leave, and another one comes. */
    void changeConsumers(SubscriptionModel subscription) throws IOException {
        for (Map.Entry<Long, SubscriptionModel> consumer : List.copyOf(consuming.consumers.entrySet())) {
            if (consumer.getValue() == subscription) {
                closeConsumer(consumer.getKey());
            }
        }
        subscribe(subscription, true);
    }

    void awaitEverything(SubscriptionModel subscription, long nowMillis) throws IOException {
        try {
            world.await("all of " + subscription, () -> {
                world.pump();
                return subscription.missing(nowMillis) == null;
            });
        } catch (ModelFailure late) {
            throw new ModelFailure(late.getMessage() + "; missing: " + subscription.missing(nowMillis) + ", held: "
                    + subscription.held.keySet());
        }
    }

    /** The connection breaks: what was on its way may have arrived. */
    void drop(Client client) throws IOException {
        world.await("the moves to be answered", () -> {
            world.pump();
            return world.subscriptions().stream().allMatch(subscription -> subscription.moving == null);
        });
        world.deeds.add(Deed.BREAK_CONNECTION);
        world.note("a connection breaks");
        client.close();
        world.clients.remove(client);
        world.subscriptions().stream()
                .filter(subscription -> client == consuming)
                .forEach(SubscriptionModel::disconnected);
        if (client == publishing) {
            publishing = connect();
        } else {
            consuming = connect();
        }
    }

    /** The position after which an entry is chosen for a seek, or null if nothing is known to be there. */
    Position anyPosition(TopicModel topic) {
        List<Position> known = new ArrayList<>(topic.byPosition.keySet());
        return known.isEmpty() ? null : pick(known);
    }
}
