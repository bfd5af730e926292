package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogUnavailableException;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.MergeHub;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The producers of a topic by name, and the rules of who may join them. Owned by the topic's control stage. */
final class Producers {
    private final TopicName topic;
    private final TopicLog log;
    private final int maxProducers;
    private final String generatedPrefix;
    private final MergeHub<Publish> hub;
    private final StreamRuntime runtime;
    private final Map<String, Producer> byName = new HashMap<>();
    private long generatedCount;

    Producers(TopicParts parts, StreamRuntime runtime) {
        this.topic = parts.name();
        this.log = parts.log();
        this.maxProducers = parts.limits().maxProducers();
        this.generatedPrefix = parts.generatedPrefix();
        this.hub = parts.publishes();
        this.runtime = runtime;
    }

    /**
     * Admits a producer, which may cost an older one of the same name its place.
     *
     * @throws BrokerException if the name, the topic or the access mode does not allow it
     */
    Producer attach(ProducerLink link, ProducerOptions options) {
        requireWritable();
        String name = options.name() == null ? generateName() : options.name();
        Producer older = byName.get(name);
        if (older != null && options.epoch() <= older.options().epoch()) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "producer " + name + " is already connected to " + topic + ": choose another name or close it");
        }
        requireRoom(name, older == null ? byName.size() : byName.size() - 1);
        requireAccess(name, options.accessMode(), older);
        if (older != null) {
            remove(older);
            refuse(older, ErrorKind.PRODUCER_FENCED, "a newer producer " + name + " took over", CloseReason.FENCED);
        }
        Producer producer = new Producer(name, options, link, start(name, link));
        byName.put(name, producer);
        return producer;
    }

    /** Frees the name, unless another producer has it by now. */
    void remove(Producer producer) {
        byName.remove(producer.name(), producer);
    }

    /** Asks every session to close its producer, and takes nothing more. */
    void closeAll(CloseReason reason) {
        for (Producer producer : new ArrayList<>(byName.values())) {
            refuse(producer, ErrorKind.SERVICE_NOT_READY, "topic " + topic + " is closing", reason);
        }
        byName.clear();
        hub.drain();
    }

    /** A producer that can publish nothing is refused, so that its client hears of it before it has sent anything. */
    private void requireWritable() {
        try {
            log.checkAppendable();
        } catch (LogUnavailableException e) {
            throw LogRefusal.of("topic " + topic, e);
        }
    }

    private void requireRoom(String name, int others) {
        if (others >= maxProducers) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "topic " + topic + " has no room for producer " + name + ": it takes max-producers-per-topic="
                            + maxProducers);
        }
    }

    private void requireAccess(String name, AccessMode mode, @Nullable Producer older) {
        if (mode == AccessMode.WAIT_FOR_EXCLUSIVE || mode == AccessMode.EXCLUSIVE_WITH_FENCING) {
            throw new BrokerException(
                    ErrorKind.UNSUPPORTED,
                    "access mode " + mode + " is not supported: use " + AccessMode.SHARED + " or "
                            + AccessMode.EXCLUSIVE);
        }
        Producer other = anyBut(older);
        if (other != null && (mode == AccessMode.EXCLUSIVE || other.options().accessMode() == AccessMode.EXCLUSIVE)) {
            throw new BrokerException(
                    mode == AccessMode.EXCLUSIVE ? ErrorKind.PRODUCER_FENCED : ErrorKind.PRODUCER_BUSY,
                    "producer " + name + " cannot join " + topic + " as " + mode + " beside "
                            + other.options().accessMode() + " producer " + other.name());
        }
    }

    /** One of the others stands for all: an exclusive one is alone. */
    private @Nullable Producer anyBut(@Nullable Producer older) {
        for (Producer producer : byName.values()) {
            if (producer != older) {
                return producer;
            }
        }
        return null;
    }

    private StageActorRef<ProducerCommand> start(String name, ProducerLink link) {
        return Source.fromGraph(new ProducerStage(name, link))
                .to(hub.sink())
                .withAttributes(link.place())
                .named(topic + " producer " + name)
                .run(runtime);
    }

    private static void refuse(Producer producer, ErrorKind kind, String why, CloseReason reason) {
        producer.stage().tell(new ProducerCommand.Refuse(new BrokerException(kind, why)));
        producer.link().closed(reason);
    }

    private String generateName() {
        generatedCount++;
        return generatedPrefix + generatedCount;
    }
}
