package io.millrace.cli.admin;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A namespace as a command names it, and where the admin API has it. Whether the name is a good one, the broker says. */
record NamespacePath(String tenant, String namespace) {
    /** Reads {@code tenant/namespace}. */
    static final class Converter implements ITypeConverter<NamespacePath> {
        @Override
        public NamespacePath convert(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2) {
                throw new TypeConversionException("a namespace is tenant/namespace, but this is '" + text + "'");
            }
            return new NamespacePath(parts[0], parts[1]);
        }
    }

    /** Where its policies and topics are. */
    String path() {
        return in("namespaces");
    }

    /** Where its topics of one domain are. */
    String in(String domain) {
        return domain + '/' + TopicPath.part(tenant) + '/' + TopicPath.part(namespace);
    }
}
