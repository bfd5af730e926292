package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.regex.Pattern;

/**
 * A topic's name: {@code persistent://tenant/namespace/local}, or {@code non-persistent://...} of a topic that is never
 * stored. A local name that ends in {@code -partition-N} is that of a partition.
 */
public record TopicName(Domain domain, String tenant, String namespace, String local) {
    private static final int MAX_LENGTH_CHARS = 1_024;
    private static final String SCHEME_END = "://";
    private static final String PARTITION = "-partition-";
    private static final int NO_PARTITION = -1;

    /** The longest text that names a topic: that of its full form. */
    public static final int MAX_TEXT_CHARS = Domain.NON_PERSISTENT.scheme.length() + MAX_LENGTH_CHARS + 2;

    private static final Pattern ENTITY = Pattern.compile("[-=:.\\w]+");

    /** Whether what is published to it is stored. */
    public enum Domain {
        PERSISTENT("persistent" + SCHEME_END),
        NON_PERSISTENT("non-persistent" + SCHEME_END);

        private final String scheme;

        Domain(String scheme) {
            this.scheme = scheme;
        }

        /** What full names of it begin with. */
        public String scheme() {
            return scheme;
        }
    }

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
     * @throws BrokerException of kind INVALID_TOPIC_NAME
     */
    public static TopicName parse(String text) {
        Domain domain = text.startsWith(Domain.NON_PERSISTENT.scheme) ? Domain.NON_PERSISTENT : Domain.PERSISTENT;
        boolean full = text.startsWith(domain.scheme);
        String path = full ? text.substring(domain.scheme.length()) : text;
        if (path.contains(SCHEME_END)) {
            throw invalid("a topic name starts with " + Domain.PERSISTENT.scheme + " or " + Domain.NON_PERSISTENT.scheme
                    + ", but this one is '" + text + "'");
        }
        String[] parts = path.split("/", -1);
        if (parts.length == 1 && !full) {
            return new TopicName(domain, "public", "default", path);
        }
        if (parts.length == 4) {
            throw invalid("names with a cluster, as of version 1, are no longer supported: a topic name is "
                    + domain.scheme + "tenant/namespace/topic, but this one is '" + text + "'");
        }
        if (parts.length != 3) {
            throw invalid(
                    "a topic name is " + domain.scheme + "tenant/namespace/topic, but this one is '" + text + "'");
        }
        return new TopicName(domain, parts[0], parts[1], parts[2]);
    }

    /** Refuses what cannot be the name of a tenant or of a namespace in it. */
    public static void requireEntity(String what, String value) {
        if (value.length() > MAX_LENGTH_CHARS || !ENTITY.matcher(value).matches()) {
            throw invalid("the " + what + " must be 1 to " + MAX_LENGTH_CHARS
                    + " letters, digits or any of -=:._, but is '" + value + "'");
        }
    }

    /** The name with its scheme, tenant and namespace. */
    public String full() {
        return domain.scheme + tenant + '/' + namespace + '/' + local;
    }

    /** Whether what is published to it is stored. */
    public boolean isPersistent() {
        return domain == Domain.PERSISTENT;
    }

    /** Which partition it names, from 0; -1 if it names none. */
    public int partition() {
        int at = local.lastIndexOf(PARTITION);
        return at <= 0 ? NO_PARTITION : number(local, at);
    }

    /** Whether it names a partition. */
    public boolean isPartition() {
        return partition() != NO_PARTITION;
    }

    /** Whether the part by which partitions are named stands anywhere in it. */
    public boolean holdsPartitionMark() {
        return local.contains(PARTITION);
    }

    /** The partitioned topic that it is a partition of; itself if it is none. */
    public TopicName whole() {
        return isPartition() ? withLocal(local.substring(0, local.lastIndexOf(PARTITION))) : this;
    }

    /** Its partition of that number. */
    public TopicName partition(int number) {
        return withLocal(local + PARTITION + number);
    }

    /** Of a full name that is known to be one: that of the partitioned topic, if it is a partition. */
    public static String wholeOf(String fullName) {
        int at = fullName.lastIndexOf(PARTITION);
        boolean isPartition = at > 0 && fullName.charAt(at - 1) != '/' && number(fullName, at) != NO_PARTITION;
        return isPartition ? fullName.substring(0, at) : fullName;
    }

    /** Of a full name that is known to be one: its tenant and namespace, with a slash between. */
    public static String namespaceOf(String fullName) {
        return fullName.substring(fullName.indexOf(SCHEME_END) + SCHEME_END.length(), fullName.lastIndexOf('/'));
    }

    private static int number(String name, int mark) {
        String number = name.substring(mark + PARTITION.length());
        boolean isNumber = !number.isEmpty()
                && number.length() <= 10
                && number.chars().allMatch(digit -> digit >= '0' && digit <= '9')
                && (number.length() == 1 || number.charAt(0) != '0');
        long value = isNumber ? Long.parseLong(number) : NO_PARTITION;
        return value <= Integer.MAX_VALUE ? (int) value : NO_PARTITION;
    }

    private TopicName withLocal(String other) {
        return new TopicName(domain, tenant, namespace, other);
    }

    /** Names are looked up all the time; texts keep their hashes. */
    @Override
    public int hashCode() {
        return 31 * local.hashCode() + namespace.hashCode();
    }

    @Override
    public String toString() {
        return full();
    }

    private static BrokerException invalid(String message) {
        return new BrokerException(ErrorKind.INVALID_TOPIC_NAME, message);
    }
}
