package io.millrace.cli.log;

import java.io.PrintStream;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
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

    LineLogger(String name, int least) {
        this.name = name;
        this.least = least;
    }

    /** Made with the first line: many a start writes none. */
    private static final class Dates {
        static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX");
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        String text = MessageFormatter.basicArrayFormat(message, arguments);
        String line = Dates.FORMAT.format(OffsetDateTime.now(ZoneId.systemDefault())) + " " + level + " "
                + name.substring(name.lastIndexOf('.') + 1) + " - " + text;
        PrintStream err = System.err;
        synchronized (err) {
            err.println(line);
            if (failure != null) {
                failure.printStackTrace(err);
            }
            err.flush();
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
