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
import org.jspecify.annotations.Nullable;

/** Requests to an admin API. What is refused, or not answered, is a {@link CommandFailure} that says so. */
final class AdminClient {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_MILLIS = 60_000;
    private static final int FIRST_REFUSAL = 300;

    private final String root;

    AdminClient(String url) {
        root = (url.endsWith("/") ? url : url + '/') + "admin/v2/";
    }

    JsonNode get(String path) {
        return tree(contentOf(ask("GET", path, null)));
    }

    /** An answer whose head says more than its content. */
    HttpURLConnection answerTo(String path) {
        return ask("GET", path, null);
    }

    static byte[] contentOf(HttpURLConnection answer) {
        try {
            return answer.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new CommandFailure(
                    "the answer from " + answer.getURL() + " broke off: " + CommandFailure.reason(e), e);
        }
    }

    void put(String path, @Nullable Object body) {
        ask("PUT", path, body);
    }

    void post(String path, @Nullable Object body) {
        ask("POST", path, body);
    }

    void delete(String path) {
        ask("DELETE", path, null);
    }

    private HttpURLConnection ask(String method, String path, @Nullable Object body) {
        try {
            HttpURLConnection connection = open(path);
            connection.setRequestMethod(method);
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(ANSWER_MILLIS);
            connection.setRequestProperty("Accept", "application/json, application/octet-stream");
            if (body != null) {
                send(connection, body);
            }
            int status = connection.getResponseCode();
            if (status >= FIRST_REFUSAL) {
                throw new CommandFailure(reason(status, connection), null);
            }
            return connection;
        } catch (ConnectException e) {
            throw new CommandFailure(
                    "nobody answers at " + root
                            + ": is a broker running there, with --http-port? --admin-url names another",
                    e);
        } catch (IOException e) {
            throw new CommandFailure("no answer from " + root + path + ": " + CommandFailure.reason(e), e);
        }
    }

    private HttpURLConnection open(String path) throws IOException {
        try {
            if (new URL(root + path).openConnection() instanceof HttpURLConnection connection) {
                return connection;
            }
        } catch (MalformedURLException e) {
            throw noUrl(e);
        }
        throw noUrl(null);
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
