package io.millrace.broker.protocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The address that lookups answer. */
final class ServiceAddress {
    private static final String SCHEME = "pulsar://";

    private ServiceAddress() {}

    /**
     * The URL for one client.
     *
     * @param advertised host or host:port that the operator chose; null for the address the client reached
     * @param reached the local end of the client's connection
     */
    static String url(@Nullable String advertised, SocketAddress reached) {
        InetSocketAddress local = (InetSocketAddress) reached;
        return SCHEME + hostAndPort(advertised == null ? hostOf(local) : advertised, local.getPort());
    }

    /** The address with that port, unless it names one itself; without the scheme. */
    static String hostAndPort(String address, int port) {
        String host = address.startsWith(SCHEME) ? address.substring(SCHEME.length()) : address;
        boolean hasPort = host.indexOf(':') >= 0 && (host.indexOf(':') == host.lastIndexOf(':') || host.contains("]:"));
        return hasPort ? host : bracketed(host) + ":" + port;
    }

    private static String hostOf(InetSocketAddress local) {
        InetAddress address = local.getAddress();
        return address == null ? local.getHostString() : address.getHostAddress();
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
