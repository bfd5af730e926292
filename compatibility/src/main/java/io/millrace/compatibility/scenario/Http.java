package io.millrace.compatibility.scenario;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Requests over HTTP as any tool sends them; what came back is written to the transcript. */
public final class Http {
    private static final int SUCCESSES_END = 300;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Context context;

    Http(Context context) {
        this.context = context;
    }

    /** Sends a request with a body of JSON or, if that is empty, none; writes the status and, if it succeeded, the JSON of the answer. */
    public void send(String key, String method, String path, String body, String... masked) throws Exception {
        HttpRequest.BodyPublisher published =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest request = HttpRequest.newBuilder(URI.create(context.target().adminUrl() + path))
                .header("Content-Type", "application/json")
                .method(method, published)
                .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        context.say(key, answer.statusCode());
        if (answer.statusCode() < SUCCESSES_END && !answer.body().isEmpty()) {
            context.jsonText(key + ".body", answer.body(), masked);
        }
    }

    /** Asks for a path and writes as {@link #send}. */
    public void ask(String key, String path, String... masked) throws Exception {
        send(key, "GET", path, "", masked);
    }
}
