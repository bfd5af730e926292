package io.millrace.broker.http;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import java.time.Duration;

/**
 * What clients may ask of the HTTP port. A value out of range is an IllegalArgumentException that names key, value and range.
 *
 * @param connections at one time; more are answered 503 and closed
 * @param bodyBytes of one request; more is answered 413
 * @param timeout for a whole request to come, from its connection's start or the answer before it, and for a client to take
 *     some of an answer; after it the connection is closed
 */
public record HttpLimits(int connections, int bodyBytes, Duration timeout) {
    private static final NumberSetting CONNECTIONS = new NumberSetting(
            "max-http-connections", 200, 1, 100_000, "HTTP connections at one time; more are answered 503 and closed.");

    private static final NumberSetting BODY_BYTES = new NumberSetting(
            "max-http-body-bytes", 256 << 10, 1 << 10, 64 << 20, "The largest body of an HTTP request; 413 beyond it.");

    private static final NumberSetting TIMEOUT_SECONDS = new NumberSetting(
            "http-timeout-seconds",
            30,
            1,
            3_600,
            "An HTTP connection is closed when it has not sent a whole request this long after it was opened or last"
                    + " answered, or takes nothing of an answer for as long.");

    public HttpLimits {
        CONNECTIONS.require(connections);
        BODY_BYTES.require(bodyBytes);
        if (timeout.toMillis() < 1 || timeout.toSeconds() > TIMEOUT_SECONDS.max()) {
            throw TIMEOUT_SECONDS.refusal(timeout.toString());
        }
    }

    static HttpLimits of(SettingValues values) {
        return new HttpLimits(
                values.integer(CONNECTIONS),
                values.integer(BODY_BYTES),
                Duration.ofSeconds(values.number(TIMEOUT_SECONDS)));
    }
}
