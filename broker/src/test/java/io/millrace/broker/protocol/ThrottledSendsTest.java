package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottledSendsTest {
    private final ChannelConfig channel = new EmbeddedChannel().config();
    private final ReadGate gate = new ReadGate(channel);
    private final ThrottledProducers all = new ThrottledProducers(gate);
    private final ThrottledSends one = new ThrottledSends(all);
    private final ThrottledSends two = new ThrottledSends(all);

    private static PendingSends sent(ThrottledSends sends, int count, int bytes) {
        PendingSends pending = new PendingSends();
        for (int i = 0; i < count; i++) {
            pending.sent(bytes);
            sends.sent(pending);
        }
        return pending;
    }

    private static void answered(ThrottledSends sends, PendingSends pending, int count) {
        for (int i = 0; i < count; i++) {
            int unused = pending.answered();
            sends.answered(pending);
        }
    }

    @Test
    void readingStopsWhenOneProducerHasEnoughWaitingAndGoesOnAtHalf() {
        PendingSends pending = sent(one, 99, 10);
        assertThat(channel.isAutoRead()).isTrue();
        pending.sent(10);
        one.sent(pending);
        assertThat(channel.isAutoRead()).isFalse();
        assertThat(gate.waitsForBroker())
                .as("a client that is not read is not dead")
                .isTrue();
        answered(one, pending, 49);
        assertThat(channel.isAutoRead()).isFalse();
        answered(one, pending, 1);
        assertThat(channel.isAutoRead()).isTrue();
    }

    @Test
    void readingGoesOnWhenNoProducerHasTooMuchWaiting() {
        PendingSends few = sent(one, 2, 200 << 10);
        PendingSends many = sent(two, 150, 10);
        answered(one, few, 2);
        assertThat(channel.isAutoRead()).isFalse();
        assertThat(many.count()).isEqualTo(150);
        two.end();
        two.end();
        assertThat(channel.isAutoRead()).isTrue();
    }

    @Test
    void readingStopsWhenAllProducersTogetherHaveEnoughWaitingAndGoesOnAtHalf() {
        List<ThrottledSends> each = new ArrayList<>();
        List<PendingSends> pending = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            assertThat(channel.isAutoRead()).isTrue();
            each.add(new ThrottledSends(all));
            pending.add(sent(each.get(i), 1, 128 << 10));
        }
        assertThat(channel.isAutoRead()).as("1 MiB waits, of eight producers").isFalse();
        for (int i = 0; i < 3; i++) {
            answered(each.get(i), pending.get(i), 1);
        }
        assertThat(channel.isAutoRead()).isFalse();
        each.get(3).end();
        assertThat(channel.isAutoRead()).isTrue();
    }
}
