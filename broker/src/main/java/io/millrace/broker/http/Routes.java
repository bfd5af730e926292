package io.millrace.broker.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which handler answers which method and path. A path is a tree of its parts; a part in braces takes any one, and comes after
 * those that are named. Filled by one thread, then only read.
 */
public final class Routes {
    private final Node root = new Node();
    private final Function<Throwable, Response> failures;

    /** Nothing yet; the function turns a failure that is no {@link HttpRefusal} into an answer. */
    public Routes(Function<Throwable, Response> failures) {
        this.failures = failures;
    }

    /** One part of paths. */
    private static final class Node {
        final Map<String, Node> named = new HashMap<>();
        final Map<String, Handler> handlers = new TreeMap<>();

        @Nullable
        Node open;
    }

    /** What was found for a path. */
    record Found(Handler handler, Map<String, String> parts) {}

    /** Answers GET of that path, such as {@code /admin/v2/tenants/{tenant}}. */
    public Routes get(String path, Handler handler) {
        return on("GET", path, handler);
    }

    /** Answers PUT. */
    public Routes put(String path, Handler handler) {
        return on("PUT", path, handler);
    }

    /** Answers POST. */
    public Routes post(String path, Handler handler) {
        return on("POST", path, handler);
    }

    /** Answers DELETE. */
    public Routes delete(String path, Handler handler) {
        return on("DELETE", path, handler);
    }

    private Routes on(String method, String path, Handler handler) {
        Node node = root;
        List<String> names = new ArrayList<>();
        for (String part : parts(path)) {
            if (part.startsWith("{")) {
                names.add(part.substring(1, part.length() - 1));
                node.open = node.open == null ? new Node() : node.open;
                node = node.open;
            } else {
                node = node.named.computeIfAbsent(part, unused -> new Node());
            }
        }
        Handler known = node.handlers.putIfAbsent(method, new Named(List.copyOf(names), handler));
        if (known != null) {
            throw new IllegalArgumentException("two handlers for " + method + " " + path);
        }
        return this;
    }

    /** A handler with the names of the open parts of its path. */
    private record Named(List<String> names, Handler handler) implements Handler {
        @Override
        public java.util.concurrent.CompletionStage<Response> handle(Request request) {
            return handler.handle(request);
        }
    }

    /**
     * The handler of that method and path, whose parts are still encoded.
     *
     * @throws HttpRefusal 404 if there is no such path, 405 if it has other methods only, 400 if it is not well encoded
     */
    Found find(String method, String path) {
        List<String> parts = parts(path);
        List<String> values = new ArrayList<>();
        TreeMap<String, Handler> others = new TreeMap<>();
        Named found = search(root, parts, 0, values, new Wanted(method, others));
        if (found == null && others.isEmpty()) {
            throw new HttpRefusal(404, "HTTP 404 Not Found: there is nothing at " + path);
        }
        if (found == null) {
            throw new HttpRefusal(
                    405, "HTTP 405 Method Not Allowed: " + path + " has " + String.join(", ", others.keySet()));
        }
        Map<String, String> byName = new HashMap<>();
        for (int i = 0; i < found.names.size(); i++) {
            byName.put(found.names.get(i), requireEncoded(values.get(i)));
        }
        return new Found(found.handler, Map.copyOf(byName));
    }

    /** The method that is looked for, and those that were met instead. */
    private record Wanted(String method, Map<String, Handler> others) {}

    private static @Nullable Named search(Node node, List<String> parts, int at, List<String> values, Wanted wanted) {
        if (at == parts.size()) {
            wanted.others.putAll(node.handlers);
            return (Named) node.handlers.get(wanted.method);
        }
        Node next = node.named.get(parts.get(at));
        Named found = next == null ? null : search(next, parts, at + 1, values, wanted);
        if (found == null && node.open != null) {
            int before = values.size();
            values.add(parts.get(at));
            found = search(node.open, parts, at + 1, values, wanted);
            if (found == null) {
                values.subList(before, values.size()).clear();
            }
        }
        return found;
    }

    /** The answer to a request that failed. */
    Response failed(Throwable failure) {
        return failure instanceof HttpRefusal refusal
                ? Response.refusal(refusal.status(), String.valueOf(refusal.getMessage()))
                : failures.apply(failure);
    }

    private static List<String> parts(String path) {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return List.of((trimmed.startsWith("/") ? trimmed.substring(1) : trimmed).split("/", -1));
    }

    private static String requireEncoded(String part) {
        try {
            if (Request.formDecoded(part).indexOf('\uFFFD') >= 0) {
                throw new HttpRefusal(400, "HTTP 400 Bad Request: " + part + " is not UTF-8, percent-encoded");
            }
            return part;
        } catch (IllegalArgumentException e) {
            throw new HttpRefusal(400, "HTTP 400 Bad Request: " + part + " is not percent-encoded as it should", e);
        }
    }
}
