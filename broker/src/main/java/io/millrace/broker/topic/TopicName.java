package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.regex.Pattern;

/** A topic's name: {@code persistent://tenant/namespace/local}. */
public record TopicName(String tenant, String namespace, String local) {
    private static final int MAX_LENGTH_CHARS = 1_024;
    private static final String PERSISTENT = "persistent://";

    /** The longest text that names a topic: that of its full form. */
    public static final int MAX_TEXT_CHARS = PERSISTENT.length() + MAX_LENGTH_CHARS + 2;

    private static final String NON_PERSISTENT = "non-persistent://";
    private static final Pattern ENTITY = Pattern.compile("[-=:.\\w]+");

    public TopicName {
        requireEntity("tenant", tenant);
        requireEntity("namespace", namespace);
        if (local.isBlank() || local.indexOf('/') >= 0 || local.chars().anyMatch(Character::isISOControl)) {
            throw invalid(
                    "the topic part must not be blank nor hold '/' or control characters, but is '" + local + "'");
        }
        if (tenant.length() + namespace.length() + local.length() > MAX_LENGTH_CHARS) {
            throw invalid("a topic name has at most " + MAX_LENGTH_CHARS + " characters");
        }
    }

    /**
     * Reads a full name, or the short forms {@code local} and {@code tenant/namespace/local}.
     *
     * @throws BrokerException of kind INVALID_TOPIC_NAME, or UNSUPPORTED for a non-persistent topic
     */
    public static TopicName parse(String text) {
        if (text.startsWith(NON_PERSISTENT)) {
            throw new BrokerException(
                    ErrorKind.UNSUPPORTED,
                    "non-persistent topics are not supported: use " + PERSISTENT
                            + text.substring(NON_PERSISTENT.length()));
        }
        boolean full = text.startsWith(PERSISTENT);
        String path = full ? text.substring(PERSISTENT.length()) : text;
        if (path.contains("://")) {
            throw invalid("a topic name starts with " + PERSISTENT + ", but this one is '" + text + "'");
        }
        String[] parts = path.split("/", -1);
        if (parts.length == 1 && !full) {
            return new TopicName("public", "default", path);
        }
        if (parts.length != 3) {
            throw invalid("a topic name is " + PERSISTENT + "tenant/namespace/topic, but this one is '" + text + "'");
        }
        return new TopicName(parts[0], parts[1], parts[2]);
    }

    /** The name with its scheme, tenant and namespace. */
    public String full() {
        return PERSISTENT + tenant + '/' + namespace + '/' + local;
    }

    @Override
    public String toString() {
        return full();
    }

    private static void requireEntity(String what, String value) {
        if (!ENTITY.matcher(value).matches()) {
            throw invalid(
                    "the " + what + " must be letters, digits or any of -=:._ and not empty, but is '" + value + "'");
        }
    }

    private static BrokerException invalid(String message) {
        return new BrokerException(ErrorKind.INVALID_TOPIC_NAME, message);
    }
}
