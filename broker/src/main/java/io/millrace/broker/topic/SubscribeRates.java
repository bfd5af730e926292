package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.dispatch.Throttle;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often each consumer of a topic may subscribe. Who has not tried for a period is as new and is forgotten. Owned by the
 * topic's control stage.
 */
final class SubscribeRates {
    static final SubscribeRates NONE = new SubscribeRates(Rate.NONE);

    private static final int REMEMBERED = 10_000;
    private static final float LOAD_FACTOR = 0.75f;

    private final Rate rate;
    /** Who tried last stands last. */
    private final Map<Identity, Throttle> each = new LinkedHashMap<>(0, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Throttle> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Who is the same consumer when it comes again: as with Pulsar, by host, name and number. */
    private record Identity(String host, String name, long id) {}

    private SubscribeRates(Rate rate) {
        this.rate = rate;
    }

    static SubscribeRates of(Rate rate) {
        return rate.isNone() ? NONE : new SubscribeRates(rate);
    }

    /** Why it may not subscribe now; null if it may, and then it is counted. */
    @Nullable
    String refusal(SubscribeRequest request, long nowNanos) {
        if (rate.isNone()) {
            return null;
        }
        String address = request.link().client().address();
        int port = address.lastIndexOf(':');
        Identity identity = new Identity(
                port < 0 ? address : address.substring(0, port),
                request.consumer().name(),
                request.consumer().consumerId());
        forget(nowNanos);
        Throttle throttle = each.computeIfAbsent(identity, unknown -> new Throttle(rate, nowNanos));
        if (throttle.waitNanos(nowNanos) > 0) {
            return "Subscribe limited by subscribe rate limit per consumer: the policy allows " + rate.messages()
                    + " in " + rate.seconds() + " s";
        }
        throttle.passed(1, 0);
        return null;
    }

    private void forget(long nowNanos) {
        Iterator<Throttle> longestAgo = each.values().iterator();
        while (longestAgo.hasNext() && longestAgo.next().isAsNew(nowNanos)) {
            longestAgo.remove();
        }
    }

    /** How many consumers are known. */
    int known() {
        return each.size();
    }
}
