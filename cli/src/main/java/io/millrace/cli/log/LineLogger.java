package io.millrace.cli.log;

import java.io.PrintStream;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.EventConstants;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes a line with the date, the level and the last part of its name, and behind it a failure's stack. Any thread; lines do not mix. */
final class LineLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final int least;
    private final transient Supplier<String> date;

    LineLogger(String name, int least) {
        this(name, least, () -> Dates.FORMAT.format(OffsetDateTime.now(ZoneId.systemDefault())));
    }

    LineLogger(String name, int least, Supplier<String> date) {
        this.name = name;
        this.least = least;
        this.date = date;
    }

    /** Made with the first line: many a start writes none. */
    private static final class Dates {
        static final DateTimeFormatter FORMAT = new DateTimeFormatterBuilder()
                .appendPattern("uuuu-MM-dd'T'HH:mm:ss.SSS")
                .appendOffsetId()
                .toFormatter(Locale.ROOT);
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        String text = MessageFormatter.basicArrayFormat(message, arguments);
        String line = date() + " " + level + " " + name.substring(name.lastIndexOf('.') + 1) + " - " + text;
        PrintStream err = System.err;
        synchronized (err) {
            err.println(line);
            if (failure != null) {
                failure.printStackTrace(err);
            }
            err.flush();
        }
    }

    /** In UTC where the time zones cannot be read: the line may be about the file that could not be opened. */
    private String date() {
        try {
            return date.get();
        } catch (Throwable withoutZones) {
            return Instant.ofEpochMilli(System.currentTimeMillis()).toString();
        }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null; // no line says where it was written
    }

    @Override
    public boolean isTraceEnabled() {
        return least <= EventConstants.TRACE_INT;
    }

    @Override
    public boolean isDebugEnabled() {
        return least <= EventConstants.DEBUG_INT;
    }

    @Override
    public boolean isInfoEnabled() {
        return least <= EventConstants.INFO_INT;
    }

    @Override
    public boolean isWarnEnabled() {
        return least <= EventConstants.WARN_INT;
    }

    @Override
    public boolean isErrorEnabled() {
        return least <= EventConstants.ERROR_INT;
    }
}
