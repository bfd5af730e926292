package io.millrace.streams.hub.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Random joins, reads, lags and departures against a plain model, with the oracle looking into the wheel each time. */
class HubCoreModelTest {
    private static final int STEPS = 4_000;

    /** A consumer as the model sees it: it reads the ring like a stream does, one step at a time. */
    private static final class Reader {
        final HubConsumer consumer;
        boolean isWoken;
        boolean isWaiting;
        boolean hadTurn;
        long at;
        long announced;

        Reader(BroadcastConsumerSettings settings) {
            consumer = new HubConsumer(settings, () -> isWoken = true);
        }

        boolean isAsleep() {
            return isWaiting && !isWoken;
        }
    }

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final int size = 1 << random.nextInt(6);
    private final long first = random.nextBoolean() ? Long.MAX_VALUE - STEPS / 8 : (1L << 60) - STEPS / 8;
    private final HubRing<Long> ring = new HubRing<>(size, first);
    private final HubWaking waking = new HubWaking(new HubArrivals<>(), ring);
    private final HubCore<Long> core =
            new HubCore<>(ring, BroadcastHubSettings.defaults().withBufferSize(size));
    private final List<Reader> readers = new ArrayList<>();

    @RepeatedTest(20)
    @Behaviour({"BHUB-9", "BHUB-13", "BHUB-15"})
    void theWheelAgreesWithTheModel() {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
                core.advanceHead();
                HubWheelOracle.check(core, ring, live());
                assertThat(core.hasWaiting()).isEqualTo(readers.stream().anyMatch(Reader::isAsleep));
            }
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + seed + ", buffer " + size, failure);
        }
    }

    /** One that is timed out takes none with it that has only just come to the same place. */
    @Test
    @Behaviour("BHUB-14")
    void noneIsEvictedBeforeItsFirstTurn() {
        Duration patience = Duration.ofNanos(5);
        Reader timed = joined(new BroadcastConsumerSettings(LagPolicy.DISCONNECT, JoinPosition.tail(), patience));
        Reader fresh = joined(LagPolicy.DISCONNECT);
        announce(timed, 0);
        fill();
        assertThat(core.timeThoseAtHead(100)).isEqualTo(5);
        core.evictAtHead(104);
        assertThat(timed.consumer.eviction).isNull();
        core.evictAtHead(105);
        assertThat(timed.consumer.eviction.isDisconnected()).isTrue();
        assertThat(fresh.consumer.eviction).isNull();
        assertThat(core.hasRoom()).isFalse();
        announce(fresh, 0);
        assertThat(core.hasRoom()).isTrue();
    }

    /** Reading on is no reason to wait for it any longer. */
    @Test
    @Behaviour({"BHUB-13", "BHUB-14"})
    void aFirstTurnHasItsTimeWhateverIsReadInIt() {
        Reader fresh = joined(LagPolicy.DISCONNECT);
        fill();
        long nanos = core.timeThoseAtHead(0);
        assertThat(nanos).isEqualTo(Duration.ofSeconds(1).toNanos());
        fresh.consumer.setLiveRelease(first + 1);
        core.evictAtHead(nanos / 2);
        assertThat(core.offer(first + size)).isTrue();
        assertThat(core.hasRoom()).isFalse();
        assertThat(core.timeThoseAtHead(nanos / 2)).isEqualTo(nanos - nanos / 2);
        core.evictAtHead(nanos);
        assertThat(core.hasRoom()).isFalse();
        assertThat(fresh.consumer.eviction).isNotNull();
    }

    /** It reads an element, is disconnected, and leaves, having given that element on. */
    @Test
    @Behaviour("BHUB-16")
    void theNextGoesOnAfterWhatTheLastHasSeenThoughItWasDisconnectedMeanwhile() {
        Reader last = joined(LagPolicy.DISCONNECT);
        announce(last, 0);
        fill();
        assertThat(core.offer(first + size)).isFalse();
        assertThat(last.consumer.eviction.isDisconnected()).isTrue();
        last.at++;
        last.consumer.leaveNumber = 1;
        announce(last, HubConsumer.LEFT);
        assertThat(core.offer(first + size)).isTrue();
        assertThat(joined(LagPolicy.BACKPRESSURE).at).isEqualTo(first + 1);
    }

    /** What one has read that was disconnected while there were others is nothing to those who come. */
    @Test
    @Behaviour("BHUB-6")
    void theNextGoesOnAfterTheLastThatLeftThoughNewsOfOneDisconnectedComesLater() {
        Reader disconnected = joined(LagPolicy.DISCONNECT);
        announce(disconnected, 0);
        fill();
        assertThat(core.offer(first + size)).isFalse();
        disconnected.at++;
        disconnected.consumer.leaveNumber = 1;
        Reader last = joined(LagPolicy.BACKPRESSURE);
        last.consumer.leaveNumber = 2;
        announce(last, HubConsumer.LEFT);
        announce(disconnected, HubConsumer.LEFT);
        assertThat(joined(LagPolicy.BACKPRESSURE).at).isEqualTo(first);
    }

    /** They wait in one row, and leave it at its ends and within. */
    @Test
    @Behaviour("BHUB-17")
    void theHubForgetsAtOnceWhoWaitsAndLeaves() {
        for (int[] order : new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
            List<Reader> waiting = new ArrayList<>();
            for (int i = 0; i < order.length; i++) {
                Reader reader = joined(LagPolicy.BACKPRESSURE);
                announce(reader, HubConsumer.WAITING);
                waiting.add(reader);
            }
            for (int i : order) {
                HubConsumer leaving = waiting.get(i).consumer;
                assertThat(core.hasWaiting()).isTrue();
                announce(waiting.get(i), HubConsumer.LEFT);
                assertThat(waiting)
                        .noneMatch(reader -> reader.consumer.nextWaiting == leaving)
                        .noneMatch(reader -> reader.consumer.previousWaiting == leaving);
            }
            assertThat(core.hasWaiting()).isFalse();
        }
    }

    @Test
    @Behaviour("BHUB-17")
    void whoIsDueToBeWokenAndLeavesIsForgottenOnceTheOthersAreWoken() {
        Reader leaving = joined(LagPolicy.BACKPRESSURE);
        Reader staying = joined(LagPolicy.BACKPRESSURE);
        announce(leaving, HubConsumer.WAITING);
        announce(staying, HubConsumer.WAITING);
        staying.isWoken = false;
        assertThat(core.offer(first)).isTrue();
        core.handOverWaiting(waking);
        announce(leaving, HubConsumer.LEFT);
        waking.wakeDue();
        assertThat(staying.isWoken).isTrue();
        for (Reader each : List.of(leaving, staying)) {
            assertThat(each.consumer.nextWaiting).isNull();
            assertThat(each.consumer.previousWaiting).isNull();
        }
        staying.at++;
        announce(staying, HubConsumer.WAITING);
        assertThat(core.hasWaiting()).isTrue();
    }

    private void fill() {
        for (long position = first; position != first + size; position++) {
            assertThat(core.offer(position)).isTrue();
        }
    }

    private void announce(Reader reader, int flags) {
        reader.consumer.announce(reader.at, flags);
        core.arrived(reader.consumer);
    }

    private Reader joined(LagPolicy policy) {
        return joined(new BroadcastConsumerSettings(policy, JoinPosition.tail(), Duration.ZERO));
    }

    private Reader joined(BroadcastConsumerSettings settings) {
        Reader reader = new Reader(settings);
        reader.consumer.announce(0, HubConsumer.NEVER_STARTED);
        core.arrived(reader.consumer);
        reader.at = reader.consumer.start;
        return reader;
    }

    private Set<HubConsumer> live() {
        Set<HubConsumer> live = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Reader reader : readers) {
            live.add(reader.consumer);
        }
        return live;
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 4 && readers.size() < 40) {
            join();
        } else if (dice < 6 && !readers.isEmpty()) {
            leave(readers.get(random.nextInt(readers.size())));
        } else if (dice < 50) {
            append();
        } else if (!readers.isEmpty()) {
            read(readers.get(random.nextInt(readers.size())), random.nextInt(2 * size + 1));
        }
    }

    private void join() {
        LagPolicy policy = random.nextInt(4) == 0 ? LagPolicy.DISCONNECT : LagPolicy.BACKPRESSURE;
        JoinPosition where = switch (random.nextInt(3)) {
            case 0 -> JoinPosition.tail();
            case 1 -> JoinPosition.head();
            default -> JoinPosition.replay(random.nextInt(size + 2));
        };
        Reader reader = new Reader(new BroadcastConsumerSettings(policy, where, Duration.ZERO));
        long expected = expectedStart(where);
        reader.consumer.announce(0, HubConsumer.NEVER_STARTED);
        core.arrived(reader.consumer);
        assertThat(reader.isWoken).isTrue();
        assertThat(reader.consumer.start).isEqualTo(expected);
        reader.at = reader.consumer.start;
        reader.announced = reader.at;
        reader.isWoken = false;
        readers.add(reader);
    }

    private long expectedStart(JoinPosition where) {
        long tail = ring.tailPlain();
        if (where.isTail()) {
            return readers.isEmpty() ? core.head() : tail;
        }
        return tail - Math.min(where.mostReplayed(), Math.min(size, tail - first));
    }

    private void leave(Reader reader) {
        if (reader.consumer.announce(reader.at, HubConsumer.LEFT)) {
            core.arrived(reader.consumer);
        }
        readers.remove(reader);
        if (readers.isEmpty()) {
            assertThat(core.head()).isEqualTo(reader.at);
        }
    }

    private void append() {
        long tail = ring.tailPlain();
        boolean roomForAll = readers.stream().noneMatch(reader -> tail - reader.announced >= size);
        if (!core.hasRoom() || !core.offer(tail)) {
            assertThat(roomForAll && !readers.isEmpty()).as("room was denied").isFalse();
            dropDisconnected();
            return;
        }
        dropDisconnected();
        if (random.nextBoolean()) {
            core.handOverWaiting(waking);
            waking.wakeDue();
            assertThat(readers).noneMatch(Reader::isAsleep);
        }
    }

    private void dropDisconnected() {
        readers.removeIf(reader -> {
            boolean gone = reader.consumer.eviction != null;
            if (gone) {
                assertThat(reader.isWoken).isTrue();
                assertThat(reader.hadTurn).as("only who has had a turn").isTrue();
                assertThat(reader.at).as("only who lags by a buffer").isEqualTo(reader.consumer.eviction.end());
            }
            return gone;
        });
    }

    private void read(Reader reader, int most) {
        if (reader.isAsleep()) {
            return;
        }
        reader.isWaiting = false;
        reader.isWoken = false;
        for (int i = 0; i < most && reader.at != ring.tailAcquire(); i++) {
            assertThat(ring.elementAcquire(reader.at)).isEqualTo(reader.at);
            reader.at++;
            reader.consumer.setLiveRelease(reader.at);
        }
        boolean isDry = reader.at == ring.tailAcquire();
        if (isDry || !reader.hadTurn || reader.at - reader.announced >= Math.max(1, size / 2)) {
            reader.hadTurn = true;
            reader.isWaiting = isDry;
            reader.announced = reader.at;
            reader.consumer.announce(reader.at, isDry ? HubConsumer.WAITING : 0);
            core.arrived(reader.consumer);
        }
    }
}
