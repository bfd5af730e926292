package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.dispatch.Throttle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often each consumer of a topic may subscribe. Owned by the topic's control stage. */
final class SubscribeRates {
    static final SubscribeRates NONE = new SubscribeRates(Rate.NONE);

    private static final int REMEMBERED = 10_000;

    private final Rate rate;
    private final Map<Identity, Throttle> each = new LinkedHashMap<>(0) {
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
        Throttle throttle = each.computeIfAbsent(identity, unknown -> new Throttle(rate, nowNanos));
        if (throttle.waitNanos(nowNanos) > 0) {
            return "Subscribe limited by subscribe rate limit per consumer: the policy allows " + rate.messages()
                    + " in " + rate.seconds() + " s";
        }
        throttle.passed(1, 0);
        return null;
    }
}
