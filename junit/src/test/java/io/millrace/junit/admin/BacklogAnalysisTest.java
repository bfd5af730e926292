package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.stats.AnalyzeSubscriptionBacklogResult;
import org.junit.jupiter.api.Test;

class BacklogAnalysisTest extends AdminFixture {
    private static final int MAX_ENTRIES = 10_000;
    private static final int MORE = 50;
    private static final int MESSAGE_BYTES = 100;

    /** More entries than one question looks at. */
    private void publishMany() throws Exception {
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        try (Producer<byte[]> producer = client.newProducer()
                .topic("t")
                .enableBatching(false)
                .blockIfQueueFull(true)
                .create()) {
            for (int i = 0; i <= MAX_ENTRIES + MORE; i++) {
                var unused = producer.sendAsync(new byte[MESSAGE_BYTES]);
            }
            producer.flush();
        }
        acknowledgeSecond();
    }

    /** So that what is counted and what is read at a time do not end together. */
    private void acknowledgeSecond() throws Exception {
        try (Consumer<byte[]> consumer = client.newConsumer()
                .topic("t")
                .subscriptionName("s")
                .subscriptionType(SubscriptionType.Shared)
                .isAckReceiptEnabled(true)
                .subscribe()) {
            consumer.receive();
            consumer.acknowledge(consumer.receive());
        }
    }

    @Test
    void aLongBacklogIsAnalysedInPartsAlsoWhenItIsReadFromTheDisk() throws Exception {
        publishMany();
        for (int i = 0; i < 2; i++) {
            AnalyzeSubscriptionBacklogResult first =
                    admin.topics().analyzeSubscriptionBacklog("t", "s", Optional.empty());
            assertThat(first.isAborted()).isTrue();
            assertThat(first.getEntries()).isEqualTo(MAX_ENTRIES);
            assertThat(first.getMessages()).isEqualTo(MAX_ENTRIES);
            AnalyzeSubscriptionBacklogResult all =
                    admin.topics().analyzeSubscriptionBacklog("t", "s", Optional.empty(), found -> false);
            assertThat(all.getEntries()).isEqualTo(MAX_ENTRIES + MORE);
            assertThat(all.isAborted()).isFalse();
            restart();
        }
    }

    @Test
    void thatOfNothingAndWhatMakesNoSenseIsRefused() throws Exception {
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        refusedWith(404, () -> admin.topics().analyzeSubscriptionBacklog("t", "no", Optional.empty()));
        refusedWith(404, () -> admin.topics().analyzeSubscriptionBacklog("no", "s", Optional.empty()));
        admin.topics().createPartitionedTopic("p", 2);
        refusedWith(405, () -> admin.topics().analyzeSubscriptionBacklog("p", "s", Optional.empty()));
    }

    /** Some may be told to come again; those that are answered are right, and consumers get what they wait for meanwhile. */
    @Test
    void manyQuestionsAtOnceHarmNobody() throws Exception {
        publishMany();
        List<CompletableFuture<AnalyzeSubscriptionBacklogResult>> asked = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            asked.add(admin.topics().analyzeSubscriptionBacklogAsync("t", "s", Optional.empty()));
        }
        publish("other", "one");
        int answered = 0;
        for (CompletableFuture<AnalyzeSubscriptionBacklogResult> each : asked) {
            AnalyzeSubscriptionBacklogResult result = each.exceptionally(failure -> {
                        assertThat(((PulsarAdminException) failure).getStatusCode())
                                .isEqualTo(429);
                        return null;
                    })
                    .get(60, TimeUnit.SECONDS);
            if (result != null) {
                assertThat(result.getEntries()).isEqualTo(MAX_ENTRIES);
                answered++;
            }
        }
        assertThat(answered).isPositive();
        assertThat(admin.topics()
                        .analyzeSubscriptionBacklog("t", "s", Optional.empty())
                        .getEntries())
                .isEqualTo(MAX_ENTRIES);
    }
}
