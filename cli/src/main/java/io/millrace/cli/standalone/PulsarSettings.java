package io.millrace.cli.standalone;

import io.millrace.broker.BrokerConfig;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Settings as Pulsar's image is given them, by a file like {@code standalone.conf} and by the environment, which wins: what
 * they are here, and what is to be said of the others. Used by one thread.
 */
public final class PulsarSettings {
    /** What the names of Pulsar's settings begin with in the environment of an image. */
    static final String PULSAR = "PULSAR_PREFIX_";
    /** The same of Millrace's, in capitals and with _ for -. */
    static final String MILLRACE = "MILLRACE_SETTING_";

    private static final String HTTP_HOSTS = "http-hosts";
    private static final String AUTO_TOPICS = "auto-topics";
    private static final String INTERNAL_LISTENER = "internalListenerName";
    /** The names that containers have for the machine they run on, also where others are set. */
    static final String CONTAINER_HOSTS =
            "host.docker.internal,gateway.docker.internal,host.testcontainers.internal,host.containers.internal";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> origins = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private boolean isAutoTopics = true;
    private String internalListener = "";

    /**
     * Takes what a file of Pulsar's sets.
     *
     * @throws CommandFailure if it cannot be read, or sets what is refused
     */
    public void addFile(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (CharacterCodingException e) {
            throw new CommandFailure(ExitCode.USAGE, file + " is not in UTF-8", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "the file of Pulsar's settings cannot be read: " + CommandFailure.reason(e), e);
        }
        int unknown = 0;
        for (String key : new TreeMap<>(properties).keySet().toArray(new String[0])) {
            if (PulsarSetting.of(key) == null) {
                unknown++;
            } else {
                add(key, properties.getProperty(key), key + " in " + file);
            }
        }
        if (unknown > 0) {
            warnings.add(file + " has " + unknown + " settings that have no effect here");
        }
    }

    /**
     * Takes what an environment sets: without a prefix the settings that are known, with Pulsar's, which wins, every one, as
     * Pulsar's image does; Millrace's win over both.
     *
     * @throws CommandFailure if it sets what is refused
     */
    public void addEnvironment(Map<String, String> environment) {
        Map<String, String> sorted = new TreeMap<>(environment);
        sorted.forEach((name, value) -> {
            if (PulsarSetting.of(name) != null) {
                add(name, value, name);
            }
        });
        sorted.forEach((name, value) -> {
            if (name.startsWith(PULSAR)) {
                add(name.substring(PULSAR.length()), value, name);
            }
        });
        sorted.forEach((name, value) -> {
            if (name.startsWith(MILLRACE)) {
                String key = name.substring(MILLRACE.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
                put(key, value.strip(), name);
            }
        });
    }

    /** Takes what the command line says that clients are told. */
    public void advertise(String address) {
        put("advertised-address", address, "--advertised-address");
    }

    private void add(String key, String text, String origin) {
        String value = text.strip();
        PulsarSetting setting = PulsarSetting.of(key);
        if (value.isEmpty()) {
            return;
        }
        if (setting == null) {
            warnings.add(origin + " has no effect here");
            return;
        }
        String refusal = setting.refusal(value);
        if (refusal != null) {
            throw new CommandFailure(ExitCode.USAGE, origin + " is " + value + ", but " + refusal, null);
        }
        if (setting == PulsarSetting.AUTO_TOPICS) {
            isAutoTopics = !value.equalsIgnoreCase("false");
        }
        if (setting == PulsarSetting.INTERNAL_LISTENER) {
            internalListener = value;
            origins.put(INTERNAL_LISTENER, origin);
        }
        String equal = setting.equal();
        if (equal != null) {
            put(equal, setting.valueOfEqual(value), origin);
        }
    }

    private void put(String key, String value, String origin) {
        values.put(key, value);
        origins.put(key, origin);
    }

    /** What to tell of settings that were given and have no effect, a sentence each. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /**
     * The configuration of a file of Millrace's settings, over which these win.
     *
     * @throws CommandFailure naming where the value comes from, if one makes no sense
     */
    public BrokerConfig over(Path file) {
        if (!isAutoTopics && !origins.getOrDefault(AUTO_TOPICS, "").startsWith(MILLRACE)) {
            put(AUTO_TOPICS, "never", "allowAutoTopicCreation");
        }
        String hosts = values.getOrDefault(HTTP_HOSTS, "");
        if (!hosts.isEmpty()) {
            values.put(HTTP_HOSTS, hosts + "," + CONTAINER_HOSTS);
        }
        try {
            return withInternalListener(BrokerConfig.load(file, values));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, CommandFailure.reason(e) + origin(CommandFailure.reason(e)), e);
        }
    }

    /** Without listeners there is none to be the internal one, as with Pulsar. */
    private BrokerConfig withInternalListener(BrokerConfig config) {
        try {
            return internalListener.isEmpty() ? config : config.withFirstListener(internalListener);
        } catch (IllegalArgumentException e) {
            String message = origins.get(INTERNAL_LISTENER) + " is " + internalListener + ", but " + e.getMessage();
            throw new CommandFailure(ExitCode.USAGE, message, e);
        }
    }

    private String origin(String message) {
        for (Map.Entry<String, String> each : origins.entrySet()) {
            if (message.contains(": " + each.getKey() + " is ") || message.contains("'" + each.getKey() + "'")) {
                return "; it comes from " + each.getValue();
            }
        }
        return "";
    }
}
