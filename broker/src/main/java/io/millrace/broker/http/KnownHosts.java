package io.millrace.broker.http;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests that somebody meant for this broker from those that a web page of another host had a browser send. A page
 * may post to any port of the machine that shows it, and by a name of its own that it lets lead here it may even read the
 * answer. So the host of a request must be an address, a name without a dot, which no page of the internet has, or a name
 * that this broker is known by; and where a browser tells which page asked, it must be one of the same host.
 */
public final class KnownHosts {
    private static final String LOCALHOST = "localhost";

    private final Set<String> names;

    KnownHosts(Set<String> names) {
        this.names = names.stream()
                .map(name -> hostOf(name.toLowerCase(Locale.ROOT).replaceFirst("^[a-z]+://", "")))
                .collect(Collectors.toSet());
    }

    /**
     * Passes a request, or refuses it; returns its host.
     *
     * @param host the header of that name
     * @param origin the header of that name, which browsers send; null if there is none
     * @param site what browsers send as Sec-Fetch-Site; null if there is none
     * @throws HttpRefusal 400 without a host, 403 for a foreign one
     */
    String require(@Nullable String host, @Nullable String origin, @Nullable String site) {
        if (host == null || host.isBlank()) {
            throw new HttpRefusal(400, "HTTP 400 Bad Request: a request names the host that it is for, once");
        }
        if (!isKnown(hostOf(host.toLowerCase(Locale.ROOT)))) {
            throw new HttpRefusal(
                    403,
                    "HTTP 403 Forbidden: this broker is not called " + host
                            + "; use its address, or add the name to http-hosts");
        }
        boolean isForeign = origin != null && !origin.equalsIgnoreCase("http://" + host);
        boolean isCrossSite = site != null && !site.equals("same-origin") && !site.equals("none");
        if (isForeign || isCrossSite) {
            throw new HttpRefusal(
                    403, "HTTP 403 Forbidden: a web page of another host sent this: " + (isForeign ? origin : site));
        }
        return host;
    }

    private boolean isKnown(String host) {
        boolean isAddress = host.startsWith("[") || isIpv4(host);
        boolean isLocal = host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST);
        boolean isSingle = !host.isEmpty() && host.indexOf('.') < 0;
        return isAddress || isLocal || isSingle || names.contains(host);
    }

    private static boolean isIpv4(String host) {
        return host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    }

    /** A host, or host:port, without the port; an address of version 6 stands in brackets. */
    public static String hostOf(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        boolean hasPort = colon > 0 && (hostAndPort.indexOf(':') == colon || hostAndPort.charAt(colon - 1) == ']');
        return hasPort ? hostAndPort.substring(0, colon) : hostAndPort;
    }
}
