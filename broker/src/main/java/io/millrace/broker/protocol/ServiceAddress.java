package io.millrace.broker.protocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address that lookups answer.
 *
 * @param isProxied whether clients go on using the address by which they came: nobody said what this broker is called
 *     outside, or it was called by a name that means another machine there
 */
public record ServiceAddress(String url, boolean isProxied) {
    private static final String SCHEME = "pulsar://";
    private static final String HOST = "(?:\\[[^\\s,\\]/]+]|[^\\s,:/\\[\\]]+)";
    private static final Pattern HOST_AND_PORT = Pattern.compile(HOST + ":(\\d{1,5})");
    private static final String BARE_IPV6 = "[\\da-fA-F]*:[\\da-fA-F]*:[\\da-fA-F:.]*(?:%[^\\s,:/\\[\\]]+)?";
    private static final Pattern HOST_ALONE = Pattern.compile(HOST + "|" + BARE_IPV6);
    private static final int MAX_PORT = 65_535;
    private static final Pattern LOOPBACK = Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1]):\\d+");

    /**
     * The address for one client.
     *
     * @param advertised host or host:port that the operator chose; null for the address the client reached
     * @param reached the local end of the client's connection
     */
    static ServiceAddress of(@Nullable String advertised, SocketAddress reached) {
        InetSocketAddress local = (InetSocketAddress) reached;
        String address = hostAndPort(advertised == null ? hostOf(local) : advertised, local.getPort());
        return new ServiceAddress(SCHEME + address, advertised == null || isLoopback(address));
    }

    /** Whether that {@code host:port}, with or without the scheme, means the machine of whoever reads it. */
    public static boolean isLoopback(String address) {
        return LOOPBACK.matcher(bare(address)).matches();
    }

    /** Whether it is {@code host:port} of a port that there is, with or without the scheme. */
    static boolean hasHostAndPort(String address) {
        Matcher matcher = HOST_AND_PORT.matcher(bare(address));
        return matcher.matches() && Integer.parseInt(matcher.group(1)) <= MAX_PORT;
    }

    /** Whether it is a host, or {@code host:port} of a port that there is, with or without the scheme. */
    static boolean isAddress(String address) {
        return hasHostAndPort(address) || HOST_ALONE.matcher(bare(address)).matches();
    }

    /** The address with that port, unless it names one itself; without the scheme. */
    public static String hostAndPort(String address, int port) {
        String host = bare(address);
        boolean hasPort = host.indexOf(':') >= 0 && (host.indexOf(':') == host.lastIndexOf(':') || host.contains("]:"));
        return hasPort ? host : bracketed(host) + ":" + port;
    }

    private static String bare(String address) {
        return address.startsWith(SCHEME) ? address.substring(SCHEME.length()) : address;
    }

    private static String hostOf(InetSocketAddress local) {
        InetAddress address = local.getAddress();
        return address == null ? local.getHostString() : address.getHostAddress();
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
