package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.BrokerTopic;
import io.millrace.broker.Message;
import io.millrace.broker.SourceOptions;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/guides/broker.md that embeds the broker without a client. */
class EmbeddedBrokerGuideTest {
    @TempDir
    Path folder;

    @Test
    void messagesGoFromTopicToTopicAtLeastOnce() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                StreamRuntime runtime = StreamRuntime.create()) {
            Source.range(0, 100)
                    .map(i -> Message.of("order " + i).withKey("customer " + i % 7))
                    .runWith(broker.topic("orders").sink(), runtime)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            // snippet: at-least-once
            BrokerTopic orders = broker.topic("orders");
            BrokerTopic invoices = broker.topic("invoices");
            CompletionStage<Done> done = orders.source("billing", SourceOptions.of(SubscriptionType.KEY_SHARED))
                    .via(invoices.publish(order ->
                            Message.of("invoice for " + order.message().text()))) // passes it on once that is durable
                    .mapAsync(16, order -> order.ack().thenApply(receipt -> order))
                    .take(100)
                    .runWith(Sink.ignore(), runtime);
            // end
            done.toCompletableFuture().get(10, TimeUnit.SECONDS);
            List<String> written = invoices.source("audit", SourceOptions.of(SubscriptionType.EXCLUSIVE))
                    .map(invoice -> invoice.message().text())
                    .take(100)
                    .runWith(Sink.seq(), runtime)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            assertThat(written).hasSize(100).startsWith("invoice for order 0");
        }
    }
}
