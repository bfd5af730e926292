package io.millrace.broker.admin;

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
            return SCHEME + hostOf(calledHost) + ":" + port;
        }
        String address = advertised.startsWith(SCHEME) ? advertised.substring(SCHEME.length()) : advertised;
        return SCHEME + (hostOf(address).equals(address) ? address + ":" + port : address);
    }

    /** Where it called. */
    String http(String calledHost) {
        return "http://" + calledHost;
    }

    private static String hostOf(String address) {
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > 0 && (address.indexOf(':') == colon || address.charAt(colon - 1) == ']');
        return hasPort ? address.substring(0, colon) : address;
    }
}
