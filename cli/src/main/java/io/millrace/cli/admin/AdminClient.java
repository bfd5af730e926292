package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests to an admin API. What is refused, or not answered, is a {@link CommandFailure} that says so. */
final class AdminClient {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_MILLIS = 60_000;
    private static final int FIRST_REFUSAL = 300;
    private static final int NOT_FOUND = 404;
    private static final int TEMPORARY_REDIRECT = 307;
    private static final int MOST_REDIRECTIONS = 5;

    private final String root;

    /** What is asked of the API. */
    private interface Request<T> {
        T ask() throws IOException;
    }

    AdminClient(String url) {
        root = (url.endsWith("/") ? url : url + '/') + "admin/v2/";
    }

    JsonNode get(String path) {
        return tree(contentOf(ask("GET", path, null)));
    }

    /** The same; nothing if there is no such thing. */
    Optional<JsonNode> find(String path) {
        return answered(path, () -> {
            HttpURLConnection answer = follow("GET", path, null);
            return answer.getResponseCode() == NOT_FOUND
                    ? Optional.empty()
                    : Optional.of(tree(contentOf(required(answer))));
        });
    }

    /** An answer whose head says more than its content, also one that refuses. */
    HttpURLConnection answerTo(String path) {
        return answered(path, () -> follow("GET", path, null));
    }

    /** What an answer says that refuses; null of any other. */
    static @Nullable String refusalIn(HttpURLConnection answer) {
        try {
            int status = answer.getResponseCode();
            return status < FIRST_REFUSAL ? null : reason(status, answer);
        } catch (IOException e) {
            throw brokenOff(answer, e);
        }
    }

    static byte[] contentOf(HttpURLConnection answer) {
        try {
            return answer.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw brokenOff(answer, e);
        }
    }

    private static CommandFailure brokenOff(HttpURLConnection answer, IOException e) {
        return new CommandFailure("the answer from " + answer.getURL() + " broke off: " + CommandFailure.reason(e), e);
    }

    void put(String path, @Nullable Object body) {
        ask("PUT", path, body);
    }

    void post(String path, @Nullable Object body) {
        ask("POST", path, body);
    }

    /** What is answered to the body. */
    JsonNode postForAnswer(String path, Object body) {
        return tree(contentOf(ask("POST", path, body)));
    }

    void delete(String path) {
        ask("DELETE", path, null);
    }

    private HttpURLConnection ask(String method, String path, @Nullable Object body) {
        return answered(path, () -> required(follow(method, path, body)));
    }

    private HttpURLConnection follow(String method, String path, @Nullable Object body) throws IOException {
        HttpURLConnection answer = ask(method, url(path), body);
        for (int i = 0; i < MOST_REDIRECTIONS && isElsewhere(answer); i++) {
            answer = ask(method, new URL(answer.getURL(), answer.getHeaderField("Location")), body);
        }
        return answer;
    }

    private static HttpURLConnection required(HttpURLConnection answer) throws IOException {
        int status = answer.getResponseCode();
        if (status >= FIRST_REFUSAL) {
            throw new CommandFailure(reason(status, answer), null);
        }
        return answer;
    }

    private <T> T answered(String path, Request<T> request) {
        try {
            return request.ask();
        } catch (ConnectException e) {
            throw new CommandFailure(
                    "nobody answers at " + root
                            + ": is a broker running there, with --http-port? --admin-url names another",
                    e);
        } catch (IOException e) {
            throw new CommandFailure("no answer from " + root + path + ": " + CommandFailure.reason(e), e);
        }
    }

    /** Whether another broker of a cluster has what is asked for: the same is asked there, which Java does for reading alone. */
    private static boolean isElsewhere(HttpURLConnection answer) throws IOException {
        return answer.getResponseCode() == TEMPORARY_REDIRECT && answer.getHeaderField("Location") != null;
    }

    private HttpURLConnection ask(String method, URL url, @Nullable Object body) throws IOException {
        if (!(url.openConnection() instanceof HttpURLConnection connection)) {
            throw noUrl(null);
        }
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(method);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setRequestProperty("Accept", "application/json, application/octet-stream");
        if (body != null) {
            send(connection, body);
        }
        connection.getResponseCode();
        return connection;
    }

    private URL url(String path) {
        try {
            return new URL(root + path);
        } catch (MalformedURLException e) {
            throw noUrl(e);
        }
    }

    private CommandFailure noUrl(@Nullable Throwable cause) {
        return new CommandFailure(
                ExitCode.USAGE, "--admin-url is http://HOST:PORT, but the admin API would be at " + root, cause);
    }

    private static void send(HttpURLConnection connection, Object body) throws IOException {
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(JSON.writeValueAsBytes(body));
        }
    }

    private static JsonNode tree(byte[] content) {
        try {
            return JSON.readTree(content);
        } catch (IOException e) {
            throw new CommandFailure("the answer is no JSON: " + CommandFailure.reason(e), e);
        }
    }

    /** What a refusal says: Pulsar's have a reason. */
    private static String reason(int status, HttpURLConnection refused) throws IOException {
        InputStream in = refused.getErrorStream();
        String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        String type = refused.getContentType();
        if (type != null && type.startsWith("application/json")) {
            text = JSON.readTree(text).path("reason").asText(text);
        }
        return text.isEmpty() ? "refused with " + status : text;
    }
}
