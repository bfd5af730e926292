package io.millrace.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Properties;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.EventConstants;
import org.slf4j.event.Level;

final class LogProviderTest {
    @Test
    void slf4jFindsIt() {
        assertThat(LoggerFactory.getLogger("io.millrace.broker.Broker")).isInstanceOf(LineLogger.class);
        assertThat(LoggerFactory.getLogger("a")).isSameAs(LoggerFactory.getLogger("a"));
    }

    @Test
    void warningsAreWrittenAndWhatTheClientSaysIsNot() {
        LogLevels levels = levels();

        assertThat(levels.leastOf("io.millrace.broker.Broker")).isEqualTo(EventConstants.WARN_INT);
        assertThat(levels.leastOf("io.netty.util.Recycler")).isEqualTo(EventConstants.ERROR_INT);
        assertThat(levels.leastOf("io.nettyx")).isEqualTo(EventConstants.WARN_INT);
        assertThat(new LineLogger("c", levels.leastOf("org.apache.pulsar.client.Impl")).isErrorEnabled())
                .isFalse();
    }

    @Test
    void theLongestNameThatIsSetCounts() {
        LogLevels levels = levels(
                "org.slf4j.simpleLogger.log.io.millrace", "info",
                "org.slf4j.simpleLogger.log.io.millrace.broker.log", "Off",
                "org.slf4j.simpleLogger.log.org.apache", "trace",
                "org.slf4j.simpleLogger.log.org.apache.pulsar", "debug",
                "org.slf4j.simpleLogger.defaultLogLevel", "error");

        assertThat(levels.leastOf("io.millrace.streams.X")).isEqualTo(EventConstants.INFO_INT);
        assertThat(levels.leastOf("io.millrace.broker.logs")).isEqualTo(EventConstants.INFO_INT);
        assertThat(levels.leastOf("io.millrace.broker.log.Recovery")).isGreaterThan(EventConstants.ERROR_INT);
        assertThat(levels.leastOf("org.apache.pulsar.X")).isEqualTo(EventConstants.DEBUG_INT);
        assertThat(levels.leastOf("")).isEqualTo(EventConstants.ERROR_INT);
        assertThat(levels("org.slf4j.simpleLogger.log.a", "loud").leastOf("a")).isEqualTo(EventConstants.INFO_INT);
    }

    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void aLineHasItsDateAndAFailureItsStack() {
        Exception failure = new IllegalStateException("no room", new RuntimeException("the cause"));

        String lines = written(new LineLogger("io.millrace.Topic", EventConstants.INFO_INT), log -> {
            log.debug("not this");
            log.warn("topic {} of {} is full", "a", 3, failure);
            log.info("and {}", (Object) null);
        });

        assertThat(lines)
                .matches("(?s)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)"
                        + " WARN Topic - topic a of 3 is full\n.*INFO Topic - and null\n")
                .contains(failure.toString(), "\tat " + LogProviderTest.class.getName(), "Caused by: ")
                .doesNotContain("not this");
    }

    /** As it may be where no file can be opened any more, and the line is about that. */
    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void aLineIsWrittenThoughTheTimeZonesCannotBeRead() {
        LineLogger log = new LineLogger("io.millrace.Topic", EventConstants.INFO_INT, () -> {
            throw new NoClassDefFoundError("zones");
        });

        assertThat(written(log, line -> line.error("lost")))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z ERROR Topic - lost\n");
    }

    @Test
    void eachLevelIsAskedForItself() {
        for (Level level : Level.values()) {
            Logger log = new LineLogger("x", level.toInt());
            for (Level asked : Level.values()) {
                assertThat(log.isEnabledForLevel(asked)).isEqualTo(asked.toInt() >= level.toInt());
            }
        }
    }

    private static LogLevels levels(String... set) {
        Properties properties = new Properties();
        for (int i = 0; i < set.length; i += 2) {
            properties.setProperty(set[i], set[i + 1]);
        }
        return new LogLevels(properties);
    }

    private static String written(Logger log, Consumer<Logger> logging) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, UTF_8));
        try {
            logging.accept(log);
        } finally {
            System.setErr(before);
        }
        return bytes.toString(UTF_8);
    }
}
