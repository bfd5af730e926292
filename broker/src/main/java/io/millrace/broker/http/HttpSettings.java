package io.millrace.broker.http;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where HTTP is served, and to whom.
 *
 * @param port TCP port; 0 for any that is free; {@link #OFF} for none; null if nobody said, which is none in a program that
 *     embeds the broker
 * @param hosts names by which clients may call this broker, besides addresses, names without a dot, and the advertised one
 */
public record HttpSettings(@Nullable Integer port, Set<String> hosts, HttpLimits limits) {
    /** No HTTP. */
    public static final int OFF = -1;

    /** The port that Pulsar's tools expect. */
    public static final int DEFAULT_PORT = 8_080;

    private static final String OFF_TEXT = "off";

    private static final TextSetting PORT = new TextSetting(
            "http-port",
            "",
            "a port from 0 to 65535, or off",
            "TCP port of the admin API over HTTP; 0 takes any free one and prints it. Left out, `millrace serve` takes 8080,"
                    + " or any free one beside port 0, and a broker in a program serves no HTTP.");

    private static final NumberSetting PORT_RANGE = new NumberSetting(PORT.key(), 0, OFF, 65_535, PORT.meaning());

    private static final TextSetting HOSTS = new TextSetting(
            "http-hosts",
            "",
            "host names with commas between them, or nothing",
            "Names with a dot by which HTTP clients may call this broker, such as that of a service in a cluster; the"
                    + " advertised one is known. A request that names another host is refused: a web page may have sent it.");

    public HttpSettings {
        if (port != null) {
            PORT_RANGE.require(port);
        }
        hosts = Set.copyOf(hosts);
    }

    /** What a configuration file sets. */
    public static HttpSettings of(SettingValues values) {
        String port = values.text(PORT);
        String hosts = values.text(HOSTS);
        return new HttpSettings(
                port(port),
                Arrays.stream(hosts.split(",", -1))
                        .map(String::strip)
                        .filter(host -> !host.isEmpty())
                        .collect(Collectors.toUnmodifiableSet()),
                HttpLimits.of(values));
    }

    private static @Nullable Integer port(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.equals(OFF_TEXT)) {
            return OFF;
        }
        String digits = text.replace("_", "");
        boolean isNumber = digits.matches("[0-9]{1,5}");
        int port = isNumber ? Integer.parseInt(digits) : OFF;
        if (port < 0 || port > PORT_RANGE.max()) {
            throw PORT.refusal(text);
        }
        return port;
    }

    /** Reads a port as a file has it: a number, or {@code off}. */
    public static int parsePort(String text) {
        Integer port = port(text);
        if (port == null) {
            throw PORT.refusal(text);
        }
        return port;
    }

    /** Whether HTTP is served at all. */
    public boolean isOn() {
        return port != null && port != OFF;
    }

    /** The same on another port; 0 for any that is free, {@link #OFF} for none. */
    public HttpSettings withPort(int newPort) {
        return new HttpSettings(newPort, hosts, limits);
    }

    /** The same for clients that call the broker by these names. */
    public HttpSettings withHosts(Set<String> names) {
        return new HttpSettings(port, names, limits);
    }

    /** The same with other limits. */
    public HttpSettings withLimits(HttpLimits newLimits) {
        return new HttpSettings(port, hosts, newLimits);
    }
}
