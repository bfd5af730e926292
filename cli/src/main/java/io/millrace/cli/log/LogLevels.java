package io.millrace.cli.log;

import java.util.Locale;
import java.util.Properties;
import org.slf4j.event.EventConstants;
import org.slf4j.event.Level;

/**
 * Which lines a logger writes: what is set for the longest part of its name, by the system properties that slf4j-simple has for that, else by the
 * defaults here, which are quiet.
 */
final class LogLevels {
    private static final String PREFIX = "org.slf4j.simpleLogger.";
    private static final int OFF = EventConstants.ERROR_INT + 1;

    private final Properties properties;

    LogLevels(Properties properties) {
        this.properties = properties;
    }

    /** The least severe level that this logger writes, as slf4j numbers them; more than that of an error for none. */
    int leastOf(String logger) {
        for (String name = logger; !name.isEmpty(); name = name.substring(0, Math.max(0, name.lastIndexOf('.')))) {
            String set = properties.getProperty(PREFIX + "log." + name);
            if (set != null) {
                return parsed(set);
            }
            // What the client has to say that a user can act on comes back as the command's own error.
            if (name.equals("org.apache.pulsar")) {
                return OFF;
            }
            if (name.equals("io.netty")) {
                return EventConstants.ERROR_INT;
            }
        }
        return parsed(properties.getProperty(PREFIX + "defaultLogLevel", "warn"));
    }

    /** A name that is no level counts as info, as in slf4j-simple. */
    private static int parsed(String level) {
        String name = level.trim().toUpperCase(Locale.ROOT);
        if (name.equals("OFF")) {
            return OFF;
        }
        for (Level known : Level.values()) {
            if (known.name().equals(name)) {
                return known.toInt();
            }
        }
        return EventConstants.INFO_INT;
    }
}
