package io.millrace.broker.schema;

import io.millrace.broker.dispatch.BrokerException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a schema is sound, is the same as another, and may follow others, as Pulsar decides it. Functions for any thread; they
 * may take seconds for large definitions.
 */
public final class SchemaRules {
    /** What the Python client sends as the definition of a string. */
    private static final String NOTHING_IN_PYTHON = "null";

    private SchemaRules() {}

    /**
     * Does nothing if the definition is one of its type.
     *
     * @throws BrokerException that says what is wrong with it
     */
    public static void requireSound(SchemaContent content) {
        SchemaType type = content.type();
        switch (type) {
            case AVRO, JSON, PROTOBUF -> AvroRules.parse(type, content.data());
            case PROTOBUF_NATIVE -> NativeProtobuf.rootMessage(content.data());
            case KEY_VALUE -> {
                KeyValueParts parts = KeyValueParts.of(content);
                requireSound(parts.key());
                requireSound(parts.value());
            }
            case NONE, BYTES, EXTERNAL -> {}
            case AUTO, AUTO_CONSUME, AUTO_PUBLISH ->
                throw Refused.invalid(type, "it is a client's own affair and cannot be a topic's schema");
            default -> requireEmpty(content);
        }
    }

    private static void requireEmpty(SchemaContent content) {
        byte[] data = content.data();
        boolean isEmpty = data.length == 0
                || (content.type() == SchemaType.STRING
                        && NOTHING_IN_PYTHON.equals(new String(data, StandardCharsets.UTF_8)));
        if (!isEmpty) {
            throw Refused.invalid(content.type(), "it has " + data.length + " bytes, and a primitive type has none");
        }
    }

    /** The version that is the same as a sound content, also where only the text of the definition differs; null if none is. */
    public static @Nullable StoredSchema same(SchemaContent content, List<StoredSchema> versions) {
        AvroRules.Parsed parsed = content.type().isOfAvro() ? AvroRules.parse(content.type(), content.data()) : null;
        for (StoredSchema version : versions) {
            SchemaContent other = version.content();
            if (other.identity().equals(content.identity())) {
                return version;
            }
            if (parsed != null
                    && other.type() == content.type()
                    && AvroRules.areSame(AvroRules.parse(other.type(), other.data()), parsed)) {
                return version;
            }
        }
        return null;
    }

    /**
     * Does nothing if a sound content may follow these versions, which are all that count, by that strategy.
     *
     * @throws BrokerException that names the field, the change, the rule and a remedy
     */
    public static void requireCompatible(SchemaContent content, List<StoredSchema> versions, Compatibility strategy) {
        if (strategy == Compatibility.ALWAYS_COMPATIBLE) {
            return;
        }
        for (StoredSchema version : versions) {
            new Step(content, version, strategy).require();
        }
    }

    /** From one version to a new content. */
    private record Step(SchemaContent content, StoredSchema before, Compatibility strategy) {
        void require() {
            require("", before.content(), content);
        }

        private void require(String part, SchemaContent old, SchemaContent now) {
            if (old.type() != now.type()) {
                throw Refused.incompatible(part + "exists schema type " + old.type() + ", new schema type " + now.type()
                        + ": version " + before.version() + " and the new schema are of different types, which "
                        + SchemaPolicy.compatibilityKey() + "=" + strategy
                        + " does not take; use another topic, or delete the topic's schema first");
            }
            if (strategy == Compatibility.ALWAYS_INCOMPATIBLE && now.type() != SchemaType.EXTERNAL) {
                throw Refused.incompatible(part + "the topic takes no other schema than version " + before.version()
                        + ", by the rule " + SchemaPolicy.compatibilityKey() + "=" + strategy
                        + ": use that one, or change the rule");
            }
            switch (now.type()) {
                case AVRO, JSON, PROTOBUF -> requireByAvro(part, old, now);
                case PROTOBUF_NATIVE -> requireSameMessage(part, old, now);
                case KEY_VALUE -> requireBoth(KeyValueParts.of(old), KeyValueParts.of(now));
                default -> {}
            }
        }

        private void requireByAvro(String part, SchemaContent old, SchemaContent now) {
            AvroRules.Parsed was = AvroRules.parse(old.type(), old.data());
            AvroRules.Parsed is = AvroRules.parse(now.type(), now.data());
            if (strategy.newReadsOld()) {
                refuse(
                        part,
                        AvroRules.obstacle(is, was, true),
                        "the new schema must read what version " + before.version() + " wrote");
            }
            if (strategy.oldReadsNew()) {
                refuse(
                        part,
                        AvroRules.obstacle(was, is, false),
                        "version " + before.version() + " must read what the new schema writes");
            }
        }

        private void refuse(String part, @Nullable AvroChange found, String rule) {
            if (found != null) {
                throw refusal(part + found.change(), rule, found.remedy());
            }
        }

        private void requireSameMessage(String part, SchemaContent old, SchemaContent now) {
            String was = NativeProtobuf.rootMessage(old.data());
            String is = NativeProtobuf.rootMessage(now.data());
            if (!was.equals(is)) {
                throw refusal(
                        part + "the root message is " + Refused.quoted(is) + ", and was " + Refused.quoted(was),
                        "all versions are of one message",
                        "keep its name and package");
            }
        }

        private void requireBoth(KeyValueParts old, KeyValueParts now) {
            if (!old.encoding().equals(now.encoding())) {
                throw refusal(
                        "the key and value encoding is " + Refused.quoted(now.encoding()) + ", and was "
                                + Refused.quoted(old.encoding()),
                        "consumers look for the key where it was",
                        "keep the encoding");
            }
            require("key: ", old.key(), now.key());
            require("value: ", old.value(), now.value());
        }

        private BrokerException refusal(String change, String rule, String remedy) {
            return Refused.incompatible(change + ". By the rule " + SchemaPolicy.compatibilityKey() + "=" + strategy
                    + ", " + rule + ": " + remedy + ", or change the rule");
        }
    }
}
