package io.millrace.broker.memory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The weights of things in a {@link MemoryBudget}, in bytes: what they were measured to take on the heap, plus a fifth
 * to three quarters, for other objects that their use leaves there.
 */
public final class Weights {
    /** A connection that was accepted. */
    public static final long CONNECTION = 8 << 10;

    /** A hash range that a consumer claims, in its options and in its subscription's table. */
    public static final long HASH_RANGE = 128;

    /** A consumer's share of a ring of key hashes. */
    public static final long KEY_SHARE = 1 << 10;

    /** A topic in a list that clients watch. */
    public static final long WATCHED_TOPIC = 100;

    private static final long WATCHER = 1 << 10;
    private static final long LISTING = 512;
    private static final long UNSENT_TOPIC = 64;
    private static final long PRODUCER = 3 << 10;
    private static final long CONSUMER = 1 << 10;
    private static final long SUBSCRIPTION = 8 << 10;
    private static final long SCHEMA = 1 << 10;
    private static final long NAMED = 256;
    private static final long SCHEMA_VERSION = 512;
    private static final long STRING = 48;
    private static final int LAST_NARROW_CHARACTER = 0xff;

    private Weights() {}

    /** A producer of a topic. Its stages, its session and its topic each keep a copy of its names. */
    public static long producer(String topic, String name) {
        return PRODUCER + 4 * string(topic) + 6 * string(name);
    }

    /** A consumer. Its description keeps a second copy of all its names. */
    public static long consumer(String topic, String subscription, String name) {
        return CONSUMER + 2 * (string(topic) + string(subscription) + string(name));
    }

    /** A subscription with its dispatcher, each stage of which is named for its topic and for itself. */
    public static long subscription(String topic, String name) {
        return SUBSCRIPTION + 8 * (string(topic) + string(name));
    }

    /** Texts by key. */
    public static long properties(Map<String, String> texts) {
        long bytes = 0;
        for (Map.Entry<String, String> text : texts.entrySet()) {
            bytes += STRING + string(text.getKey()) + string(text.getValue());
        }
        return bytes;
    }

    /** A name and what is said of it; 0 if there is none. */
    public static long named(@Nullable Map<String, String> texts) {
        return texts == null ? 0 : NAMED + properties(texts);
    }

    /** What is known of the versions of a topic's schemas, beside what the log keeps of them. */
    public static long schemaVersions(int count, Map<String, String> policies) {
        return NAMED + SCHEMA_VERSION * count + properties(policies);
    }

    /** A schema that a client brings, until it is told what becomes of it. */
    public static long schema(int dataBytes, int propertyChars) {
        return SCHEMA + dataBytes + 4L * propertyChars;
    }

    /** A client that watches the topics of a namespace. */
    public static long watcher(String namespace, String pattern) {
        return WATCHER + 3 * (string(namespace) + string(pattern));
    }

    /** A list of the topics of a namespace that a client has asked for. */
    public static long listing(String namespace, @Nullable String pattern, @Nullable String hash) {
        return LISTING
                + string(namespace)
                + (pattern == null ? 0 : string(pattern))
                + (hash == null ? 0 : string(hash));
    }

    /** A topic that a client which watches was not told of yet. */
    public static long unsentTopic(String name) {
        return UNSENT_TOPIC + STRING + 2L * name.length();
    }

    private static long string(String text) {
        boolean narrow = text.chars().allMatch(character -> character <= LAST_NARROW_CHARACTER);
        return STRING + (narrow ? 1 : 2) * (long) text.length();
    }
}
