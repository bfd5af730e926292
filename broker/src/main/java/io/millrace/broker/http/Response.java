package io.millrace.broker.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer. Immutable.
 *
 * @param headers besides content type and length
 * @param body not to be changed
 * @param rest what follows the body, sent piece by piece; null if that is all
 */
@SuppressWarnings("ArrayRecordComponent")
public record Response(
        int status,
        String contentType,
        byte[] body,
        Map<String, String> headers,
        @Nullable Pieces rest) {
    /** The media type of everything but texts and messages. */
    public static final String JSON = "application/json";

    private static final Response NO_CONTENT = new Response(204, "", new byte[0], Map.of());

    /** A body as a whole. */
    public Response(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, null);
    }

    /** Done, and nothing to say. */
    public static Response noContent() {
        return NO_CONTENT;
    }

    /** A text, as people and probes read it. */
    public static Response text(String text) {
        return new Response(200, "text/plain", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** A value that is JSON already. */
    public static Response json(byte[] json) {
        return new Response(200, JSON, json, Map.of());
    }

    /** A value that is JSON already, piece by piece. */
    public static Response json(Pieces json) {
        return new Response(200, JSON, new byte[0], Map.of(), json);
    }

    /** Refused: the reason in the form that Pulsar's tools read. */
    public static Response refusal(int status, String reason) {
        String json = "{\"reason\":" + quoted(reason) + "}";
        return new Response(status, JSON, json.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** The same with one more header. */
    public Response withHeader(String name, String value) {
        Map<String, String> more = new java.util.TreeMap<>(headers);
        more.put(name, value);
        return new Response(status, contentType, body, more, rest);
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
