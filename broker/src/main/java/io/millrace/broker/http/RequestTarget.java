package io.millrace.broker.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is for.
 *
 * @param authority host and port, where the client sends a whole URL, as to a proxy; else null
 * @param path with its query; bytes that are not ASCII, which clients should percent-encode, are read as UTF-8
 */
record RequestTarget(@Nullable String authority, String path) {
    private static final int LAST_ASCII = 127;

    /** The one of a first line, whose bytes are characters. */
    static RequestTarget of(String sent) {
        String text = sent.chars().allMatch(each -> each <= LAST_ASCII)
                ? sent
                : new String(sent.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        int start = text.indexOf("://") + 3;
        String scheme = start < 3 ? "" : text.substring(0, start).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http://") && !scheme.equals("https://")) {
            return new RequestTarget(null, text);
        }
        int end = start;
        while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
            end++;
        }
        String path = text.substring(end);
        return new RequestTarget(text.substring(start, end), path.startsWith("/") ? path : "/" + path);
    }
}
