package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionPropertiesTest extends AdminFixture {
    private static final Map<String, String> X = Map.of("x", "1");

    private Map<String, String> properties() throws Exception {
        return admin.topics().getSubscriptionProperties("t", "s");
    }

    @Test
    void theySurviveARestartAndAreToldWithoutOpeningTheTopic() throws Exception {
        client.newConsumer()
                .topic("t")
                .subscriptionName("s")
                .subscriptionProperties(X)
                .subscribe()
                .close();
        admin.topics().createSubscription("t", "made", MessageId.latest, false, Map.of("m", ""));
        restart();
        assertThat(properties()).isEqualTo(X);
        assertThat(admin.topics().getSubscriptionProperties("t", "made")).isEqualTo(Map.of("m", ""));
        assertThat(admin.topics().getStats("t").getSubscriptions().get("s").getSubscriptionProperties())
                .isEqualTo(X);
        assertThat(service.broker()
                        .namespaces()
                        .openTopics(java.util.List.of(io.millrace.broker.topic.TopicName.parse("t")))
                        .toCompletableFuture()
                        .get())
                .as("topics that were opened")
                .isEmpty();
        admin.topics().updateSubscriptionProperties("t", "s", Map.of("y", "2"));
        restart();
        assertThat(properties()).isEqualTo(Map.of("y", "2"));
    }

    @Test
    void whatIsTooMuchIsRefusedAndChangesNothing() throws Exception {
        admin.topics().createSubscription("t", "s", MessageId.latest, false, X);
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i <= 1_000; i++) {
            many.put("key " + i, "");
        }
        refusedWith(400, () -> admin.topics().updateSubscriptionProperties("t", "s", many));
        refusedWith(400, () -> admin.topics().updateSubscriptionProperties("t", "s", Map.of("x", "x".repeat(65_536))));
        refusedWith(400, () -> admin.topics().createSubscription("t", "more", MessageId.latest, false, many));
        refusedWith(404, () -> admin.topics().updateSubscriptionProperties("t", "no", X));
        refusedWith(404, () -> admin.topics().updateSubscriptionProperties("no", "s", X));
        refusedWith(404, () -> admin.topics().getSubscriptionProperties("t", "no"));
        assertThat(properties()).isEqualTo(X);
        assertThat(admin.topics().getSubscriptions("t")).containsExactly("s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "\"x\"", "{\"x\":null}", "{\"x\":{}}", "{\"x\":[1]}", "{"})
    void whatIsNoMapOfTextsIsRefused(String body) throws Exception {
        admin.topics().createSubscription("t", "s", MessageId.latest, false, X);
        URI path = URI.create(
                service.httpServiceUrl() + "/admin/v2/persistent/public/default/t/subscription/s/properties");
        int status = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(path)
                                .header("content-type", "application/json")
                                .PUT(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
        assertThat(status).isEqualTo(400);
        assertThat(properties()).isEqualTo(X);
    }
}
