package io.millrace.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** A configuration file in the properties format, each key that of a setting. */
final class ConfigFile {
    private ConfigFile() {}

    static BrokerConfig read(Path file, Map<String, String> overriding) throws IOException {
        try {
            Map<String, String> entries = entries(file);
            entries.putAll(overriding);
            return BrokerConfig.of(entries);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> entries(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no configuration file " + file, e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not in UTF-8", e);
        }
        Map<String, String> entries = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> entries.put(key, properties.getProperty(key)));
        return entries;
    }
}
