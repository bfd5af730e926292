package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import org.junit.jupiter.api.Test;

class PropertyChangeTest {
    private final MemoryBudget memory = new MemoryBudget(64 << 20);

    @Test
    void shorterPropertiesAreTakenAlsoWhenMemoryIsShort() {
        long most = memory.limitBytes(Kind.SUBSCRIPTIONS);
        memory.change(Kind.SUBSCRIPTIONS, most + 1_000);
        assertThatThrownBy(() -> PropertyChange.take(memory, 1)).isInstanceOf(BrokerException.class);
        PropertyChange.take(memory, 0);
        PropertyChange.take(memory, -10);
        assertThat(memory.heldBytes(Kind.SUBSCRIPTIONS)).isEqualTo(most + 990);
    }
}
