package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashRingTest {
    /** As many as a subscription takes by default. */
    private static final int MANY = 10_000;

    private final PendingAcks pending = new PendingAcks();

    private Consumer consumer(String name) {
        return new Consumer(
                new RecordingConsumer(name), ConsumerOptions.of(1, name, SubscriptionType.KEY_SHARED), 0, pending, 0);
    }

    private static List<Consumer> ownersOf(HashRing ring) {
        List<Consumer> owners = new ArrayList<>();
        for (int hash = 1; hash < KeyRanges.HASHES; hash++) {
            owners.add(ring.ownerOf(hash));
        }
        return owners;
    }

    /** Each one by one would copy the ring of all others. */
    @Test
    @Timeout(30)
    void thousandsComeAndGoTogether() {
        HashRing ring = new HashRing();
        List<Consumer> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(consumer("consumer-" + i));
        }
        all.forEach(ring::add);
        assertThat(ring.ownerOf(1)).isNotNull();
        all.subList(1, MANY).forEach(ring::remove);
        assertThat(ring.ownerOf(1)).isSameAs(all.get(0));
        ring.remove(all.get(0));
        assertThat(ring.ownerOf(1)).isNull();
    }

    @Test
    void whoOwnsWhatFollowsFromWhoIsThereInWhateverOrderTheyCame() {
        List<Consumer> staying = new ArrayList<>();
        HashRing ring = new HashRing();
        for (int i = 0; i < 40; i++) {
            Consumer consumer = consumer("consumer-" + i);
            Consumer passing = consumer("passing-" + i);
            ring.add(passing);
            ring.add(consumer);
            if (i % 3 == 0) {
                ring.ownerOf(i);
            }
            ring.remove(passing);
            staying.add(consumer);
        }
        Collections.shuffle(staying, new Random(7));
        HashRing other = new HashRing();
        staying.forEach(other::add);
        assertThat(ownersOf(ring)).isEqualTo(ownersOf(other));
        assertThat(ring.byConsumer()).isEqualTo(other.byConsumer());
    }

    @Test
    void consumersOfOneNameShareAndTheNextOneTakesThePlaceOfTheOneThatLeft() {
        Consumer first = consumer("twin");
        Consumer second = consumer("twin");
        HashRing ring = new HashRing();
        ring.add(first);
        ring.add(second);
        List<Consumer> before = ownersOf(ring);
        assertThat(before).contains(first, second);
        ring.remove(first);
        assertThat(ownersOf(ring)).containsOnly(second);
        Consumer third = consumer("twin");
        ring.add(third);
        assertThat(ownersOf(ring))
                .isEqualTo(before.stream()
                        .map(owner -> owner == first ? third : owner)
                        .toList());
    }

    @Test
    void whoIsGoneIsForgottenThoughNobodyAsksForAnOwner() {
        HashRing ring = new HashRing();
        Consumer staying = consumer("staying");
        ring.add(staying);
        for (int i = 0; i < 1_000; i++) {
            Consumer passing = consumer("passing");
            ring.add(passing);
            ring.remove(passing);
            assertThat(ring.remembered()).isLessThanOrEqualTo(3);
        }
        ring.remove(staying);
        assertThat(ring.remembered()).isZero();
    }
}
