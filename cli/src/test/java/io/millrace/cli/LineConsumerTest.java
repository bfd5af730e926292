package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.lang.reflect.Proxy;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineConsumerTest {
    @Test
    void aStopTellsWhyTheConsumingFailed() {
        LineConsumer lines = new LineConsumer(client(new PulsarClientException("gone")), request(1), LineFormat.BYTES);
        assertThatThrownBy(lines::run).isInstanceOf(CommandFailure.class).hasMessage("cannot receive: gone");
        assertThatThrownBy(lines::stop).isInstanceOf(CommandFailure.class).hasMessage("cannot receive: gone");
    }

    @Test
    void aStopAfterACleanEndSaysNothing() {
        LineConsumer lines = new LineConsumer(client(null), request(0), LineFormat.BYTES);
        assertThat(lines.run()).isEqualTo(ExitCode.OK);
        lines.stop();
    }

    private static ConsumeCommand.Request request(long count) {
        ConsumeCommand.Subscription subscription =
                new ConsumeCommand.Subscription("t", "s", ConsumeCommand.Type.SHARED, ConsumeCommand.From.LATEST);
        return new ConsumeCommand.Request("pulsar://nowhere", subscription, count, true, false);
    }

    @SuppressWarnings("unchecked")
    private static Consumer<byte[]> client(PulsarClientException failure) {
        return (Consumer<byte[]>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(), new Class<?>[] {Consumer.class}, (consumer, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("receive");
                    throw failure;
                });
    }
}
