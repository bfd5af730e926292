package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.ToldErrors;
import io.millrace.testkit.Behaviour;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Connection connection = new Connection(
            channel,
            SessionLimits.DEFAULTS,
            new PublishMemory(1),
            ServerFixture.complaints(channel),
            MemoryBudget.ofThisProcess());

    @Test
    @Behaviour("PRO-3")
    void aTaskThatFailsEndsTheConnection() {
        connection.execute(() -> {});
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        connection.execute(() -> {
            throw new IllegalStateException("for the test");
        });
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @Behaviour("PRO-13")
    void aTaskThatFindsTheHeapFullTellsOfIt() {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        try (ToldErrors errors = new ToldErrors()) {
            connection.execute(() -> {
                throw full;
            });
            channel.runPendingTasks();
            assertThat(errors.told()).containsExactly(full);
        }
    }
}
