package io.millrace.broker.admin;

import io.millrace.broker.http.KnownHosts;
import io.millrace.broker.protocol.ServerAddress;
import io.millrace.broker.protocol.ServiceAddress;

/**
 * Where clients that came over HTTP find this broker.
 *
 * @param server what the operator chose to tell clients
 * @param port of the binary protocol
 */
public record Addresses(ServerAddress server, int port) {
    private static final String SCHEME = "pulsar://";

    /**
     * What a client connects to that called this broker by that host, with or without the port of HTTP. An advertised
     * address that is the loopback one means the host that the client called: it got an answer from there.
     *
     * @param listener the advertised listener that the client named; empty for none
     * @throws io.millrace.broker.dispatch.BrokerException if there is no such listener
     */
    String broker(String calledHost, String listener) {
        String advertised = server.advertised(listener);
        String called = KnownHosts.hostOf(calledHost);
        if (advertised == null) {
            return SCHEME + called + ":" + port;
        }
        String address = ServiceAddress.hostAndPort(advertised, port);
        return SCHEME
                + (ServiceAddress.isLoopback(address) ? called + address.substring(address.lastIndexOf(':')) : address);
    }

    /** Where it called. */
    String http(String calledHost) {
        return "http://" + calledHost;
    }
}
