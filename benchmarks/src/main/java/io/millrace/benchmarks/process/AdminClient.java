package io.millrace.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The verbs of Pulsar's admin interface that a benchmark uses, over one pool of connections. */
final class AdminClient {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private final String root;

    AdminClient(RunningBroker broker) {
        root = broker.httpUrl();
    }

    /** Creates what the path under {@code /admin/v2/} names. */
    CompletableFuture<String> put(String path, String json) {
        return answered(request("/admin/v2/" + path).PUT(HttpRequest.BodyPublishers.ofString(json)));
    }

    CompletableFuture<String> delete(String path) {
        return answered(request("/admin/v2/" + path).DELETE());
    }

    /** What stands at a path, which begins with a slash. */
    CompletableFuture<String> get(String path) {
        return answered(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(1));
    }

    private CompletableFuture<String> answered(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenCompose(response -> {
            if (response.statusCode() / 100 == 2) {
                return CompletableFuture.completedFuture(response.body());
            }
            return CompletableFuture.failedFuture(new IOException(
                    request.method() + " " + request.uri() + ": " + response.statusCode() + " " + response.body()));
        });
    }
}
