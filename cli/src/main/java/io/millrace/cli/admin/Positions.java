package io.millrace.cli.admin;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places in a topic as commands name them, and as the admin API takes them. */
final class Positions {
    private static final Pattern MESSAGE = Pattern.compile("(\\d{1,18}):(\\d{1,18})(?::(\\d{1,9}))?");

    private Positions() {}

    /** {@code earliest}, {@code latest}, {@code LEDGER:ENTRY} or, of a message in a batch, {@code LEDGER:ENTRY:INDEX}; null of anything else. */
    static @Nullable Map<String, Long> message(String where) {
        Matcher message = MESSAGE.matcher(where);
        return switch (where) {
            case "earliest" -> of(-1, -1);
            case "latest" -> of(Long.MAX_VALUE, Long.MAX_VALUE);
            default -> message.matches() ? of(message) : null;
        };
    }

    private static Map<String, Long> of(Matcher message) {
        long ledger = Long.parseLong(message.group(1));
        long entry = Long.parseLong(message.group(2));
        String index = message.group(3);
        return index == null
                ? of(ledger, entry)
                : Map.of("ledgerId", ledger, "entryId", entry, "batchIndex", Long.parseLong(index));
    }

    private static Map<String, Long> of(long ledger, long entry) {
        return Map.of("ledgerId", ledger, "entryId", entry);
    }

    /** Milliseconds since 1970 of a time in ISO form; null of anything else. */
    static @Nullable Long time(String where) {
        try {
            return Instant.parse(where).toEpochMilli();
        } catch (DateTimeParseException noTime) {
            return null;
        }
    }
}
