package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import io.netty.channel.ChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private final ChannelConfig channel = new EmbeddedChannel().config();
    private final ReadGate gate = new ReadGate(channel);
    private int idleSignals;
    private final InFlight inFlight = new InFlight(
            gate,
            SessionLimits.DEFAULTS.withMaxUnansweredCommands(10).withMaxPendingPublishes(4, 2_000),
            () -> idleSignals++);

    @Test
    @Behaviour("PRO-6")
    void readingStopsAboveTheLimitOfRequestsAndGoesOnAtHalf() {
        inFlight.requested(10);
        assertThat(channel.isAutoRead()).isTrue();
        inFlight.requested(1);
        assertThat(channel.isAutoRead()).isFalse();
        assertThat(gate.waitsForBroker()).isTrue();
        inFlight.answered(5);
        assertThat(channel.isAutoRead()).isFalse();
        inFlight.answered(1);
        assertThat(channel.isAutoRead()).isTrue();
    }

    @Test
    @Behaviour("PRO-6")
    void readingStopsAtTheLimitOfPublishesOrOfTheirBytes() {
        for (int i = 0; i < 4; i++) {
            inFlight.published(1);
        }
        assertThat(channel.isAutoRead()).isFalse();
        inFlight.settled(2, 2);
        assertThat(channel.isAutoRead()).isTrue();
        inFlight.published(1_998);
        assertThat(channel.isAutoRead()).isFalse();
        inFlight.settled(1, 1_998);
        assertThat(channel.isAutoRead()).isTrue();
    }

    @Test
    void readingGoesOnOnlyWhenNoReasonToWaitIsLeft() {
        inFlight.requested(11);
        gate.shut(ReadGate.Reason.OUTPUT);
        inFlight.answered(11);
        assertThat(channel.isAutoRead()).isFalse();
        gate.open(ReadGate.Reason.OUTPUT);
        assertThat(channel.isAutoRead()).isTrue();
    }

    @Test
    @Behaviour("PRO-3")
    void anAnswerTooManyIsNoticed() {
        inFlight.requested(1);
        inFlight.answered(1);
        assertThat(idleSignals).isEqualTo(1);
        assertThatThrownBy(() -> inFlight.answered(1)).isInstanceOf(IllegalStateException.class);
        inFlight.published(5);
        assertThatThrownBy(() -> inFlight.settled(1, 6)).isInstanceOf(IllegalStateException.class);
    }
}
