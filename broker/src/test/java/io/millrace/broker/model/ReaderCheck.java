package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandMessage;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandSubscribe.SubType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A reader sees everything that is kept from where it starts, in order and once. */
final class ReaderCheck {
    private final Life life;
    private final World world;
    /** The last message, as the reader is told. */
    private Position last;

    ReaderCheck(Life life) {
        this.life = life;
        world = life.world;
    }

    /** Reads from the beginning or some other place up to the last message. */
    void run(TopicModel topic) throws IOException {
        Position known = life.anyPosition(topic);
        read(topic, known == null || life.random.nextInt(3) == 0 ? Position.BEFORE_ALL : known);
    }

    /** The same from there on. */
    void read(TopicModel topic, Position start) throws IOException {
        last = null;
        world.deeds.add(Deed.READ);
        List<Published> due = topic.byPosition.tailMap(start, true).values().stream()
                .filter(topic::isKept)
                .toList();
        world.note("a reader of " + topic + " from " + start);
        List<Published> seen = new ArrayList<>();
        Line line = new Line(world.port());
        try (line) {
            line.send(BaseCommand.Type.SUBSCRIBE, command -> fill(command.setSubscribe(), topic, start));
            world.await("a reader of " + topic + " from " + start + " to see all that is kept", () -> {
                for (Line.Frame frame = line.poll(); frame != null; frame = line.poll()) {
                    take(frame, line, topic, seen);
                }
                return seen.containsAll(due) && last != null && isSeen(topic, start, seen);
            });
        }
        requireOrder(topic, start, seen);
    }

    private boolean isSeen(TopicModel topic, Position start, List<Published> seen) {
        Published published = topic.byPosition.get(last);
        return last.entryId() < 0 || last.isBefore(start) || (published != null && seen.contains(published));
    }

    private void fill(CommandSubscribe subscribe, TopicModel topic, Position start) {
        subscribe
                .setConsumerId(1)
                .setTopic(topic.name)
                .setSubscription("reader-" + world.nextId())
                .setSubType(SubType.Exclusive)
                .setDurable(false)
                .setRequestId(1)
                .setStartMessageId()
                .setLedgerId(start.ledgerId())
                .setEntryId(start.entryId());
    }

    private void take(Line.Frame frame, Line line, TopicModel topic, List<Published> seen) throws IOException {
        BaseCommand command = frame.command();
        if (command.getType() == BaseCommand.Type.MESSAGE) {
            CommandMessage message = command.getMessage();
            Position position = new Position(
                    message.getMessageId().getLedgerId(), message.getMessageId().getEntryId());
            seen.add(Client.identify(topic, position, frame.rest()));
        } else if (command.getType() == BaseCommand.Type.ERROR) {
            world.requireFull("a reader: " + command.getError().getMessage());
        } else if (command.getType() == BaseCommand.Type.SUCCESS) {
            line.send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(Life.PLENTY));
            line.send(
                    BaseCommand.Type.GET_LAST_MESSAGE_ID,
                    c -> c.setGetLastMessageId().setConsumerId(1).setRequestId(2));
        } else if (command.getType() == BaseCommand.Type.GET_LAST_MESSAGE_ID_RESPONSE) {
            var id = command.getGetLastMessageIdResponse().getLastMessageId();
            last = new Position(id.getLedgerId(), id.getEntryId());
        }
    }

    private static void requireOrder(TopicModel topic, Position start, List<Published> seen) {
        Position before = null;
        for (Published published : seen) {
            if (published.position.isBefore(start) || (before != null && !published.position.isAfter(before))) {
                throw new ModelFailure(
                        published + " is read after " + before + " by a reader of " + topic + " from " + start);
            }
            before = published.position;
        }
    }
}
