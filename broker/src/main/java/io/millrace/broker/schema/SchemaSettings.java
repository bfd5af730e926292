package io.millrace.broker.schema;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.setting.MachineSetting;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.Setting;
import io.millrace.broker.setting.SettingValues;

/**
 * What topics' schemas have to comply with, and how much of them is kept. A value out of range is an
 * IllegalArgumentException that names key, value and range.
 *
 * @param maxBytes largest definition
 * @param maxVersions schemas of one topic that are kept at a time
 * @param maxPropertyChars keys and values of one schema's properties together
 */
public record SchemaSettings(SchemaPolicy policy, int maxBytes, int maxVersions, int maxPropertyChars) {
    private static final MachineSetting MAX_BYTES = new MachineSetting(
            "max-schema-bytes",
            1 << 20,
            64,
            1 << 20,
            "Largest definition of a schema; a larger one is refused. Left out, it is 1 MiB, or a 512th of the heap"
                    + " where that is less, because comparing takes many times as much.");

    private static final NumberSetting MAX_VERSIONS = new NumberSetting(
            "max-schema-versions-per-topic",
            1_000,
            1,
            10_000,
            "Versions of one topic's schema; beyond that a new one is refused until the schema is deleted.");

    private static final NumberSetting MAX_PROPERTY_CHARS = new NumberSetting(
            "max-schema-property-chars",
            64 << 10,
            0,
            64 << 10,
            "Characters of one schema's properties, keys and values together; more are refused.");

    private static final long HEAP_PARTS = 512;
    private static final long MIN_DEFAULT_BYTES = 16 << 10;

    /** The settings of a broker whose file sets none. */
    public static final SchemaSettings DEFAULTS = of(SettingValues.none());

    public SchemaSettings {
        MAX_BYTES.require(maxBytes);
        MAX_VERSIONS.require(maxVersions);
        MAX_PROPERTY_CHARS.require(maxPropertyChars);
    }

    /** The settings of a configuration file. */
    public static SchemaSettings of(SettingValues values) {
        return new SchemaSettings(
                SchemaPolicy.of(values),
                (int) values.number(MAX_BYTES, machineBytes()),
                values.integer(MAX_VERSIONS),
                values.integer(MAX_PROPERTY_CHARS));
    }

    private static long machineBytes() {
        long part = Runtime.getRuntime().maxMemory() / HEAP_PARTS;
        return Math.max(MIN_DEFAULT_BYTES, Math.min(MAX_BYTES.number().defaultValue(), part));
    }

    /** The same with another policy. */
    public SchemaSettings withPolicy(SchemaPolicy other) {
        return new SchemaSettings(other, maxBytes, maxVersions, maxPropertyChars);
    }

    /**
     * Does nothing if the schema is of a size that is kept.
     *
     * @throws BrokerException that names the limit
     */
    public void requireFits(SchemaContent content) {
        if (content.data().length > maxBytes) {
            throw refusal("has a definition of " + content.data().length + " bytes", MAX_BYTES, maxBytes);
        }
        if (content.propertyChars() > maxPropertyChars) {
            throw refusal(
                    "has properties of " + content.propertyChars() + " characters",
                    MAX_PROPERTY_CHARS,
                    maxPropertyChars);
        }
    }

    /**
     * Does nothing if the topic may have one more version.
     *
     * @throws BrokerException that names the limit
     */
    public void requireRoom(TopicSchemas schemas) {
        if (schemas.versions().size() >= maxVersions) {
            throw refusal("would be one more version", MAX_VERSIONS, maxVersions);
        }
    }

    private static BrokerException refusal(String what, Setting setting, int limit) {
        return new BrokerException(
                ErrorKind.NOT_ALLOWED, "Invalid schema: it " + what + ", but " + setting.key() + " is " + limit);
    }
}
