package io.millrace.broker.schema;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A schema as clients send and get it: its type, its definition and properties. Immutable: nobody changes its data. */
public final class SchemaContent {
    private final SchemaType type;
    private final byte[] data;
    private final NavigableMap<String, String> properties;
    /** Computed when it is first asked for; threads that do so at once get equal ones. */
    private @Nullable Digest identity;

    /** Takes over the data. */
    public SchemaContent(SchemaType type, byte[] data, Map<String, String> properties) {
        this.type = type;
        this.data = data;
        this.properties = Collections.unmodifiableNavigableMap(new TreeMap<>(properties));
    }

    public SchemaType type() {
        return type;
    }

    /** Its definition, empty for primitive types: to be read only. */
    public byte[] data() {
        return data;
    }

    public NavigableMap<String, String> properties() {
        return properties;
    }

    /**
     * Equal for contents that are the same version: of the same type and definition, whatever the other properties. Of a
     * key and a value, the properties that say their types and where the key is belong to the definition.
     */
    public Digest identity() {
        Digest known = identity;
        if (known == null) {
            known = Digest.of(identified());
            identity = known;
        }
        return known;
    }

    /** Equal for contents that are the same in everything: under it a content is stored. */
    Digest digest() {
        MessageDigest digest = identified();
        properties.forEach((key, value) -> {
            add(digest, key);
            add(digest, value);
        });
        return Digest.of(digest);
    }

    /** The characters of its properties, keys and values together. */
    public int propertyChars() {
        return properties.entrySet().stream()
                .mapToInt(property ->
                        property.getKey().length() + property.getValue().length())
                .sum();
    }

    private MessageDigest identified() {
        MessageDigest digest = Digest.sha256();
        add(digest, type.name());
        if (type == SchemaType.KEY_VALUE) {
            add(digest, properties.getOrDefault(KeyValueParts.KEY_TYPE, ""));
            add(digest, properties.getOrDefault(KeyValueParts.VALUE_TYPE, ""));
            add(digest, properties.getOrDefault(KeyValueParts.ENCODING, ""));
        }
        digest.update(data);
        return digest;
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SchemaContent content
                && type == content.type
                && Arrays.equals(data, content.data)
                && properties.equals(content.properties);
    }

    @Override
    public int hashCode() {
        return identity().hashCode();
    }

    @Override
    public String toString() {
        return type + " schema of " + data.length + " bytes";
    }
}
