package io.millrace.broker.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A request that was received whole and that this broker may answer. Immutable.
 *
 * @param method in capitals
 * @param path the parts of the path that its route leaves open, as they were sent, by name
 * @param query what stands behind the question mark, decoded, by name
 * @param content its body, empty if there is none
 * @param host the host and port by which the client called
 */
@SuppressWarnings("ArrayRecordComponent")
public record Request(
        String method, Map<String, String> path, Map<String, List<String>> query, Content content, String host) {
    /** What a client sends. */
    public record Content(String type, byte[] bytes) {
        /** Whether there is none. */
        public boolean isEmpty() {
            return bytes.length == 0;
        }

        /** The body as text. */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** An open part of the path, decoded. */
    public String part(String name) {
        return formDecoded(sent(name).replace("+", "%2B"));
    }

    /** The same of a name that Pulsar's clients write as forms have it: a plus is a space. */
    public String formPart(String name) {
        return formDecoded(sent(name));
    }

    private String sent(String name) {
        String part = path.get(name);
        if (part == null) {
            throw new IllegalStateException("the route has no part " + name);
        }
        return part;
    }

    /** A text as forms have it, decoded. */
    static String formDecoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The first value of that name in the query, or else the default. */
    public String query(String name, String defaultValue) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? defaultValue : values.get(0);
    }

    /** Whether the query has that name with the value {@code true}. */
    public boolean flag(String name) {
        return query(name, "false").equalsIgnoreCase("true");
    }
}
