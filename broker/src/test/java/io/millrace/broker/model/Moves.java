package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.broker.model.SubscriptionModel.Debt;
import io.millrace.broker.model.SubscriptionModel.Existence;
import io.millrace.wire.BaseCommand;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** What moves a whole subscription: seeks and the end of it. */
final class Moves {
    private final Life life;

    Moves(Life life) {
        this.life = life;
    }

    /** To an entry, to the earliest or the latest one, or to a time. */
    void seek(long consumerId, SubscriptionModel subscription) throws IOException {
        Position position = life.anyPosition(subscription.topic);
        if (subscription.moving != null || subscription.attaching || position == null) {
            return;
        }
        switch (life.random.nextInt(6)) {
            case 0 -> {
                life.world.deeds.add(Deed.SEEK_EARLIEST);
                seekTo(consumerId, subscription, new Position(-1, -1), from(subscription, p -> true));
            }
            case 1 -> {
                life.world.deeds.add(Deed.SEEK_LATEST);
                seekTo(
                        consumerId,
                        subscription,
                        new Position(Long.MAX_VALUE, Long.MAX_VALUE),
                        from(subscription, p -> false));
            }
            case 2 -> seekToTime(consumerId, subscription, subscription.topic.byPosition.get(position));
            default -> {
                life.world.deeds.add(Deed.SEEK_POSITION);
                seekTo(consumerId, subscription, position, from(subscription, p -> !p.position.isBefore(position)));
            }
        }
    }

    private void seekTo(
            long consumerId, SubscriptionModel subscription, Position position, Function<Published, Debt> target)
            throws IOException {
        life.world.note("seek of " + subscription + " to " + position);
        subscription.startMove(target);
        life.consuming.ask(
                BaseCommand.Type.SEEK,
                (command, requestId) -> command.setSeek()
                        .setConsumerId(consumerId)
                        .setRequestId(requestId)
                        .setMessageId()
                        .setLedgerId(position.ledgerId())
                        .setEntryId(position.entryId()),
                answer -> sought(subscription, answer));
    }

    /** Publish times ascend with ids, so where positions do not there is more than one right place. */
    private void seekToTime(long consumerId, SubscriptionModel subscription, Published first) throws IOException {
        long millis = first.content.publishMillis();
        life.world.deeds.add(Deed.SEEK_TIME);
        life.world.note("seek of " + subscription + " to time " + millis);
        List<Published> stored = List.copyOf(subscription.topic.byPosition.values());
        subscription.startMove(published -> {
            if (!published.isStored() || !stored.contains(published)) {
                return Debt.MAYBE;
            }
            boolean afterAll = stored.stream()
                    .noneMatch(p -> !p.position.isBefore(published.position) && p.content.publishMillis() < millis);
            boolean beforeAll = stored.stream()
                    .noneMatch(p -> !p.position.isAfter(published.position) && p.content.publishMillis() >= millis);
            boolean kept = subscription.topic.isKept(published);
            return beforeAll ? Debt.GONE : afterAll && kept ? Debt.OWED : Debt.MAYBE;
        });
        life.consuming.ask(
                BaseCommand.Type.SEEK,
                (command, requestId) -> command.setSeek()
                        .setConsumerId(consumerId)
                        .setRequestId(requestId)
                        .setMessagePublishTime(millis),
                answer -> sought(subscription, answer));
    }

    /** What was stored when it was asked for comes from there on; what was under way then may. */
    private static Function<Published, Debt> from(SubscriptionModel subscription, Predicate<Published> wanted) {
        List<Published> stored = List.copyOf(subscription.topic.byPosition.values());
        return published -> {
            if (!stored.contains(published)) {
                return Debt.MAYBE;
            }
            boolean kept = subscription.topic.isKept(published);
            return !wanted.test(published) ? Debt.GONE : kept ? Debt.OWED : Debt.MAYBE;
        };
    }

    private void sought(SubscriptionModel subscription, BaseCommand answer) {
        if (answer.getType() == BaseCommand.Type.SUCCESS) {
            if (life.consuming.consumers.containsValue(subscription)) {
                throw new ModelFailure("a seek has left consumers of " + subscription + " open");
            }
            subscription.moved();
        } else {
            life.world.requireFull(answer.getError().getMessage());
            subscription.movedPerhaps();
            subscription.loose = true;
        }
    }

    /** Ends the subscription, if it has but one consumer. */
    void unsubscribe(long consumerId, SubscriptionModel subscription) throws IOException {
        long consumers = life.consuming.consumers.values().stream()
                .filter(other -> other == subscription)
                .count();
        if (subscription.moving != null || subscription.attaching || consumers > 1) {
            return;
        }
        life.world.deeds.add(Deed.UNSUBSCRIBE);
        life.world.note("unsubscribe " + subscription);
        subscription.startMove(published -> Debt.GONE);
        subscription.ends = true;
        Client client = life.consuming;
        client.ask(
                BaseCommand.Type.UNSUBSCRIBE,
                (command, requestId) ->
                        command.setUnsubscribe().setConsumerId(consumerId).setRequestId(requestId),
                answer -> {
                    subscription.ends = false;
                    if (answer.getType() == BaseCommand.Type.SUCCESS) {
                        client.consumers.remove(consumerId);
                        subscription.moved();
                        subscription.existence = Existence.NO;
                    } else {
                        life.world.requireFull(answer.getError().getMessage());
                        subscription.movedPerhaps();
                        subscription.forgetDebts();
                        subscription.existence = Existence.MAYBE;
                        subscription.loose = true;
                    }
                });
    }
}
