package io.millrace.broker.inspect;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Times as Pulsar writes them: ISO-8601 with milliseconds and the offset of the machine's time zone. */
public final class TimeText {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());

    private TimeText() {}

    /** A time in milliseconds since the epoch; empty for 0. */
    public static String of(long millis) {
        return millis == 0 ? "" : FORMAT.format(Instant.ofEpochMilli(millis));
    }
}
