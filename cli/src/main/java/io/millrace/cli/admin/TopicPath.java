package io.millrace.cli.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A topic as a command names it, and where the admin API has it. Whether the name is a good one, the broker says. */
record TopicPath(String domain, String tenant, String namespace, String local) {
    private static final String SCHEME_END = "://";

    /** Reads {@code local}, {@code tenant/namespace/local} or either domain's full name. */
    static final class Converter implements ITypeConverter<TopicPath> {
        @Override
        public TopicPath convert(String text) {
            int scheme = text.indexOf(SCHEME_END);
            String domain = scheme < 0 ? "persistent" : text.substring(0, scheme);
            String[] parts = text.substring(scheme < 0 ? 0 : scheme + SCHEME_END.length())
                    .split("/", -1);
            if (parts.length == 1 && scheme < 0) {
                return new TopicPath(domain, "public", "default", text);
            }
            if (parts.length != 3) {
                throw new TypeConversionException("a topic is a name in public/default, tenant/namespace/name or "
                        + "persistent://tenant/namespace/name, but this is '" + text + "'");
            }
            return new TopicPath(domain, parts[0], parts[1], parts[2]);
        }
    }

    String path() {
        return domain + '/' + part(tenant) + '/' + part(namespace) + '/' + part(local);
    }

    /** Pulsar's own tools encode a subscription's name twice. */
    String subscription(String name) {
        return path() + "/subscription/" + part(part(name));
    }

    /** Where its schemas are, which have no domain. */
    String schemas() {
        return "schemas/" + part(tenant) + '/' + part(namespace) + '/' + part(local);
    }

    TopicPath partition(int number) {
        return new TopicPath(domain, tenant, namespace, local + "-partition-" + number);
    }

    String full() {
        return domain + SCHEME_END + tenant + '/' + namespace + '/' + local;
    }

    /** A text as one part of a path. */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
