package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.AppliedPolicies;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Pulsar has retention and backlog quotas be: where both are limits, more is retained than may be backlog, in bytes and in
 * time. It is looked at when one of the two is set, not when one is removed.
 *
 * @param quotas the keys of the quotas that are looked at
 * @param scope what has the policies, for messages
 * @param hint the end of what is said of a retention that is too little
 */
record BacklogWithinRetention(List<String> quotas, String scope, String hint) {
    /** The quota by age of a namespace is not looked at, but that of a topic is. */
    static final BacklogWithinRetention OF_NAMESPACE =
            new BacklogWithinRetention(List.of(AppliedPolicies.SIZE_QUOTA), "namespace", ".");

    static final BacklogWithinRetention OF_TOPIC = new BacklogWithinRetention(
            List.of(AppliedPolicies.SIZE_QUOTA, AppliedPolicies.AGE_QUOTA),
            "topic",
            ". Please increase retention quota and retry");

    private static final Set<String> KEYS =
            Set.of(Namespaces.RETENTION, AppliedPolicies.SIZE_QUOTA, AppliedPolicies.AGE_QUOTA);
    private static final long NONE = -1;
    private static final long MIB = 1 << 20;
    private static final long MINUTE_SECONDS = 60;

    /** Whether one of these policies has to do with it. */
    static boolean concerns(Map<String, String> policies) {
        return policies.keySet().stream().anyMatch(KEYS::contains);
    }

    /**
     * Refuses to set policies that contradict those that are there.
     *
     * @param set the policies to be set, by key
     * @param nearestFirst the policies that are there, those that come first before others
     * @throws BrokerException if they do
     */
    void require(Map<String, String> set, List<Map<String, String>> nearestFirst) {
        for (String quota : quotas) {
            if (exceeds(set.get(quota), nearest(Namespaces.RETENTION, nearestFirst))) {
                throw new BrokerException(
                        ErrorKind.POLICY_LIMIT,
                        "Backlog Quota exceeds configured retention quota for " + scope
                                + ". Please increase retention quota and retry");
            }
            if (exceeds(nearest(quota, nearestFirst), set.get(Namespaces.RETENTION))) {
                throw new BrokerException(
                        ErrorKind.POLICY_LIMIT,
                        "Retention Quota must exceed configured backlog quota for " + scope + hint);
            }
        }
    }

    private static @Nullable String nearest(String key, List<Map<String, String>> nearestFirst) {
        return nearestFirst.stream()
                .map(policies -> policies.get(key))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** A quota is stored as bytes and seconds, what is retained as minutes and MiB. */
    private static boolean exceeds(@Nullable String quota, @Nullable String retention) {
        if (quota == null || retention == null) {
            return false;
        }
        long retainedMinutes = part(retention, 0);
        long retainedMib = part(retention, 1);
        return (retainedMib > 0 && part(quota, 0) / MIB >= retainedMib)
                || (retainedMinutes > 0 && part(quota, 1) / MINUTE_SECONDS >= retainedMinutes);
    }

    /** No limit where there is no such number: programs in the process may have stored other texts. */
    private static long part(String policy, int index) {
        String[] parts = policy.split(",", -1);
        try {
            return index < parts.length ? Long.parseLong(parts[index]) : NONE;
        } catch (NumberFormatException notANumber) {
            return NONE;
        }
    }
}
