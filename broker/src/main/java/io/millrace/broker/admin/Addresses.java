package io.millrace.broker.admin;

import io.millrace.broker.http.KnownHosts;
import org.jspecify.annotations.Nullable;

/**
 * Where clients that came over HTTP find this broker.
 *
 * @param advertised host, or host:port, that the operator chose; null for the host by which a client came
 * @param port of the binary protocol
 */
public record Addresses(@Nullable String advertised, int port) {
    private static final String SCHEME = "pulsar://";

    /**
     * What a client connects to that called this broker by that host, with or without the port of HTTP.
     */
    String broker(String calledHost) {
        if (advertised == null) {
            return SCHEME + KnownHosts.hostOf(calledHost) + ":" + port;
        }
        String address = advertised.startsWith(SCHEME) ? advertised.substring(SCHEME.length()) : advertised;
        return SCHEME + (KnownHosts.hostOf(address).equals(address) ? address + ":" + port : address);
    }

    /** Where it called. */
    String http(String calledHost) {
        return "http://" + calledHost;
    }
}
