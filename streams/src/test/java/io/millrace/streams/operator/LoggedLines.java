package io.millrace.streams.operator;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is logged as debug or above. */
final class LoggedLines implements System.Logger {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    List<String> seen() {
        return seen;
    }

    @Override
    public String getName() {
        return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.getSeverity() >= Level.DEBUG.getSeverity() && level != Level.OFF;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        seen.add(level + " " + message + " " + thrown.getMessage());
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Object... parameters) {
        seen.add(level + " " + message);
    }
}
