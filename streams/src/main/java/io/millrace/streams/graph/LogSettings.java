package io.millrace.streams.graph;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;

/**
 * What {@code log} writes where; {@code OFF} leaves something out. Immutable.
 *
 * @param logger takes what is logged
 * @param element the level of each element
 * @param finish the level of completion and cancellation
 * @param failure the level of a failure
 */
public record LogSettings(Logger logger, Level element, Level finish, Level failure) {
    public LogSettings {
        Objects.requireNonNull(logger, "logger");
        Objects.requireNonNull(element, "element");
        Objects.requireNonNull(finish, "finish");
        Objects.requireNonNull(failure, "failure");
    }

    /** The logger {@code io.millrace.streams.log}; elements and the end as debug, failures as errors. */
    public static LogSettings defaults() {
        return new LogSettings(System.getLogger("io.millrace.streams.log"), Level.DEBUG, Level.DEBUG, Level.ERROR);
    }

    public LogSettings withLogger(Logger value) {
        return new LogSettings(value, element, finish, failure);
    }

    public LogSettings withElement(Level value) {
        return new LogSettings(logger, value, finish, failure);
    }

    public LogSettings withFinish(Level value) {
        return new LogSettings(logger, element, value, failure);
    }

    public LogSettings withFailure(Level value) {
        return new LogSettings(logger, element, finish, value);
    }
}
