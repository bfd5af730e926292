package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Rate;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Policies as they are stored: texts by key, of those with several parts the parts with commas between. */
record PolicyTexts(Map<String, String> policies) {
    private static final int ACTION = 2;

    /** A part of that policy; null if the policy is not set. */
    private @Nullable String part(String key, int index) {
        String text = policies.get(key);
        if (text == null) {
            return null;
        }
        String[] parts = text.split(",", -1);
        if (index >= parts.length) {
            throw refusal(key, text, "at least " + (index + 1) + " values with commas between", null);
        }
        return parts[index];
    }

    /** A part that is a whole number from 0 on, where a negative one is no limit, as 0 is. */
    long number(String key, int index, long otherwise) {
        String text = part(key, index);
        return text == null ? otherwise : Math.max(0, parsed(key, text));
    }

    /** The same of 32 bits: a larger one is the largest. */
    int whole(String key, int index, int otherwise) {
        return (int) Math.min(Integer.MAX_VALUE, number(key, index, otherwise));
    }

    /** Refuses a larger one, where it is set. */
    void requireWhole(String key, int index) {
        long value = number(key, index, 0);
        if (value > Integer.MAX_VALUE) {
            throw refusal(key, Long.toString(value), "at most " + Integer.MAX_VALUE, null);
        }
    }

    private static long parsed(String key, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw refusal(key, text, "a whole number", e);
        }
    }

    boolean flag(String key, int index, boolean otherwise) {
        String text = part(key, index);
        if (text != null && !text.equals("true") && !text.equals("false")) {
            throw refusal(key, text, "true or false", null);
        }
        return text == null ? otherwise : text.equals("true");
    }

    /** A rate whose first parts are messages and bytes; the part of its seconds, or -1 for one second. */
    Rate rate(String key, int secondsAt) {
        int seconds = secondsAt < 0 ? 1 : whole(key, secondsAt, 1);
        return new Rate(number(key, 0, 0), number(key, 1, 0), Math.max(1, seconds));
    }

    /** A rate of which the parts are how often, and in how many seconds. */
    Rate countRate(String key) {
        return new Rate(number(key, 0, 0), 0, Math.max(1, whole(key, 1, 1)));
    }

    /** A quota, of which that part is the limit; null if there is none. */
    @Nullable
    BacklogQuota quota(String key, int limitAt) {
        String limit = part(key, limitAt);
        String action = part(key, ACTION);
        if (limit == null || action == null) {
            return null;
        }
        long most = parsed(key, limit);
        try {
            BacklogQuota.Action beyond = BacklogQuota.Action.valueOf(action.toUpperCase(Locale.ROOT));
            return most < 0 ? null : new BacklogQuota(most, beyond);
        } catch (IllegalArgumentException e) {
            throw refusal(
                    key, action, "one of producer_request_hold, producer_exception and consumer_backlog_eviction", e);
        }
    }

    private static IllegalArgumentException refusal(String key, String value, String range, @Nullable Exception cause) {
        return new IllegalArgumentException(key + " is '" + value + "', but must be " + range, cause);
    }
}
