package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.broker.model.Client.ProducerEnd;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandConsumerStatsResponse;
import io.millrace.wire.CommandGetLastMessageIdResponse;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageIdData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Whatever a client may do, one thing at a time and in any order. */
final class Verbs {
    private static final int PRODUCERS_PER_TOPIC = 2;
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private final Life life;
    private final World world;
    private final Random random;
    private final Acks acks;
    private final Moves moves;
    private final ReaderCheck reader;

    Verbs(Life life) {
        this.life = life;
        world = life.world;
        random = life.random;
        acks = new Acks(life);
        moves = new Moves(life);
        reader = new ReaderCheck(life);
    }

    /** One verb that waits for nothing: what it starts may be under way when the broker dies. */
    void quick() throws IOException {
        int verb = random.nextInt(110);
        if (verb >= 104) {
            world.admin.verb(world, random);
        } else if (verb >= 100) {
            world.names.verb(world, random);
        } else if (verb < 45) {
            publish();
        } else if (verb < 52) {
            life.subscribe(life.pick(world.subscriptions()), random.nextInt(3) > 0);
        } else if (!life.consuming.consumers.isEmpty()) {
            long consumer = life.pick(new ArrayList<>(life.consuming.consumers.keySet()));
            SubscriptionModel subscription = life.consuming.consumers.get(consumer);
            if (subscription.moving == null) {
                consume(verb, consumer, subscription);
            }
        }
    }

    private void consume(int verb, long consumer, SubscriptionModel subscription) throws IOException {
        if (verb < 60) {
            life.flow(1 + random.nextInt(20));
        } else if (verb < 78) {
            acks.individual(consumer, subscription);
        } else if (verb < 88) {
            if (!subscription.sharesEntries()) {
                acks.cumulative(consumer, subscription);
            }
        } else if (verb < 92) {
            giveBack(consumer, subscription);
            subscription.loose = true;
        } else if (verb < 96) {
            life.closeConsumer(consumer);
        } else if (verb < 99) {
            moves.seek(consumer, subscription);
        } else {
            moves.unsubscribe(consumer, subscription);
        }
    }

    private void publish() throws IOException {
        List<ProducerEnd> open = life.publishing.producers.values().stream()
                .filter(producer -> !producer.closing)
                .toList();
        if (open.isEmpty() || random.nextInt(10) == 0) {
            life.openProducer(life.pick(world.topics), "p" + random.nextInt(PRODUCERS_PER_TOPIC));
            return;
        }
        ProducerEnd producer = life.pick(open);
        for (int i = random.nextInt(4); i >= 0; i--) {
            life.publish(producer);
        }
        if (random.nextInt(20) == 0) {
            life.closeProducer(producer);
        }
    }

    /** One verb that waits until all is still before, so that everything after it is certain. */
    void settled() throws IOException {
        int verb = random.nextInt(100);
        if (verb < 4) {
            fillTheDisk();
        } else if (verb < 10) {
            life.drop(random.nextBoolean() ? life.publishing : life.consuming);
        } else if (verb < 20) {
            world.jump(random.nextInt(120_000) - 60_000);
        } else if (verb < 23) {
            leaveEverything();
        } else if (verb < 35) {
            world.awaitAnswers();
            reader.run(life.pick(world.topics));
        } else {
            life.settle();
            ofOneConsumer(verb);
        }
    }

    private void ofOneConsumer(int verb) throws IOException {
        if (life.consuming.consumers.isEmpty()) {
            return;
        }
        long consumer = life.pick(new ArrayList<>(life.consuming.consumers.keySet()));
        SubscriptionModel subscription = life.consuming.consumers.get(consumer);
        if (verb < 55) {
            giveBack(consumer, subscription);
            awaitTaken(consumer);
            life.settle();
        } else if (verb < 70) {
            askStats(consumer, subscription);
        } else if (verb < 80) {
            askLast(consumer, subscription);
        } else if (verb < 90) {
            moves.seek(consumer, subscription);
        } else {
            startOver(subscription);
        }
        world.awaitAnswers();
    }

    /** A consumer gives back some or all of what it has. */
    private void giveBack(long consumer, SubscriptionModel subscription) throws IOException {
        subscription.loose |= subscription.isUncertain();
        List<Published> held = new ArrayList<>();
        subscription.held.forEach((published, holding) -> {
            if (holding.consumerId() == consumer) {
                held.add(published);
            }
        });
        boolean some = subscription.sharesEntries() && !held.isEmpty() && random.nextBoolean();
        subscription.keysMixed |= subscription.type == SubType.Key_Shared;
        List<Published> given = some ? held.subList(0, 1 + random.nextInt(held.size())) : List.of();
        world.note("consumer " + consumer + " of " + subscription + " gives back " + (some ? given : "all"));
        if (some) {
            world.deeds.add(Deed.GIVE_BACK_SOME);
            given.forEach(subscription.held::remove);
        } else {
            world.deeds.add(Deed.GIVE_BACK_ALL);
            subscription.release(consumer);
        }
        life.consuming.tell(BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES, command -> {
            var redeliver = command.setRedeliverUnacknowledgedMessages().setConsumerId(consumer);
            for (Published published : given) {
                redeliver
                        .addMessageId()
                        .setLedgerId(published.position.ledgerId())
                        .setEntryId(published.position.entryId());
            }
        });
    }

    /** Another consumer takes everything again. */
    private void startOver(SubscriptionModel subscription) throws IOException {
        life.changeConsumers(subscription);
        life.settle();
    }

    /** The dispatcher has got as far as this: what comes from now on was not given back. */
    private void awaitTaken(long consumer) throws IOException {
        life.consuming.ask(
                BaseCommand.Type.CONSUMER_STATS,
                (command, requestId) ->
                        command.setConsumerStats().setConsumerId(consumer).setRequestId(requestId),
                answer -> {});
        world.awaitAnswers();
    }

    private void askStats(long consumer, SubscriptionModel subscription) throws IOException {
        world.deeds.add(Deed.ASK_STATS);
        life.consuming.ask(
                BaseCommand.Type.CONSUMER_STATS,
                (command, requestId) ->
                        command.setConsumerStats().setConsumerId(consumer).setRequestId(requestId),
                answer -> checkStats(consumer, subscription, answer.getConsumerStatsResponse()));
    }

    private static void checkStats(long consumer, SubscriptionModel subscription, CommandConsumerStatsResponse stats) {
        if (subscription.loose || subscription.moving != null) {
            return;
        }
        long least = 0;
        long most = 0;
        for (Map.Entry<Published, SubscriptionModel.Holding> held : subscription.held.entrySet()) {
            if (held.getValue().consumerId() == consumer) {
                least += subscription.slots(held.getKey()).owed.cardinality();
            }
        }
        for (Published published : subscription.topic.sent()) {
            most += subscription.slots(published).maybe.cardinality();
        }
        long unacked = stats.getUnackedMessages();
        if (unacked < least || unacked > least + most) {
            throw new ModelFailure(unacked + " unacknowledged messages of consumer " + consumer + " of " + subscription
                    + ", but " + least + " to " + (least + most) + " were expected");
        }
    }

    private void askLast(long consumer, SubscriptionModel subscription) throws IOException {
        world.deeds.add(Deed.ASK_LAST_ID);
        life.consuming.ask(
                BaseCommand.Type.GET_LAST_MESSAGE_ID,
                (command, requestId) ->
                        command.setGetLastMessageId().setConsumerId(consumer).setRequestId(requestId),
                answer -> checkLast(subscription, answer.getGetLastMessageIdResponse()));
    }

    private static void checkLast(SubscriptionModel subscription, CommandGetLastMessageIdResponse answer) {
        TopicModel topic = subscription.topic;
        if (topic.sent().stream().anyMatch(published -> published.fate == Published.Fate.UNKNOWN)) {
            return;
        }
        Published last =
                topic.byPosition.isEmpty() ? null : topic.byPosition.lastEntry().getValue();
        MessageIdData id = answer.getLastMessageId();
        boolean none = id.getEntryId() == -1 && (last == null || !topic.isKept(last));
        boolean right = last != null
                && last.position.equals(new Position(id.getLedgerId(), id.getEntryId()))
                && id.getBatchIndex() == (last.messages() > 1 ? last.messages() - 1 : -1);
        if (!none && !right) {
            throw new ModelFailure("the last message of " + topic + " is said to be " + id.getLedgerId() + ":"
                    + id.getEntryId() + ":" + id.getBatchIndex() + ", but is " + last);
        }
        if (answer.hasConsumerMarkDeletePosition() && subscription.moving == null) {
            checkMark(subscription, answer.getConsumerMarkDeletePosition());
        }
    }

    /** Everything up to the mark is acknowledged, and what comes right behind it is not. */
    private static void checkMark(SubscriptionModel subscription, MessageIdData id) {
        Position mark = new Position(id.getLedgerId(), id.getEntryId());
        for (Published published :
                subscription.topic.byPosition.headMap(mark, true).values()) {
            if (subscription.owes(published)) {
                throw new ModelFailure(published + " is owed on " + subscription + ", but its mark is " + mark);
            }
        }
        Published next = subscription.topic.byPosition.tailMap(mark, false).values().stream()
                .filter(subscription.topic::isKept)
                .findFirst()
                .orElse(null);
        if (next != null && subscription.slots(next).isGone() && isFirstBehind(subscription, next, mark)) {
            throw new ModelFailure(next + " is acknowledged on " + subscription + ", but its mark is " + mark);
        }
    }

    /** Whether nothing that may be unacknowledged stands between the mark and an entry. */
    private static boolean isFirstBehind(SubscriptionModel subscription, Published published, Position mark) {
        return subscription.topic.byPosition.subMap(mark, false, published.position, false).values().stream()
                .allMatch(between -> subscription.slots(between).isGone());
    }

    /** The disk is full for a while: publishes are refused, and taken again when there is room. */
    private void fillTheDisk() throws IOException {
        world.awaitAnswers();
        world.fillDisk(random.nextInt(40_000));
        for (int i = random.nextInt(30); i >= 0; i--) {
            quick();
            world.pump();
        }
        world.awaitAnswers();
        world.freeDisk();
        world.awaitLedgers();
        for (TopicModel topic : world.topics) {
            world.await("publishing on " + topic, () -> publishesAgain(topic));
        }
        world.roomWasFound();
    }

    private boolean publishesAgain(TopicModel topic) throws IOException {
        world.awaitAnswers();
        life.openProducer(topic, "p0");
        world.awaitAnswers();
        for (ProducerEnd producer : List.copyOf(life.publishing.producers.values())) {
            if (producer.topic == topic && !producer.closing) {
                life.publishPlain(producer);
                world.awaitAnswers();
                return topic.sent().get(topic.sent().size() - 1).isStored();
            }
        }
        return false;
    }

    /** Nobody uses any topic for so long that they are unloaded. */
    private void leaveEverything() throws IOException {
        world.deeds.add(Deed.LEAVE_TOPICS);
        world.awaitAnswers();
        for (long consumer : List.copyOf(life.consuming.consumers.keySet())) {
            life.closeConsumer(consumer);
        }
        for (ProducerEnd producer : life.publishing.producers.values()) {
            life.closeProducer(producer);
        }
        world.awaitAnswers();
        long end = System.nanoTime() + IDLE_NANOS;
        world.await("the topics to be left alone", () -> {
            world.pump();
            return System.nanoTime() - end > 0;
        });
    }
}
