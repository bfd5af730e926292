package io.millrace.broker.namespace;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Topics of a namespace, partitions one by one.
 *
 * @param names their full names, in alphabetical order
 * @param isFiltered whether it holds only what the pattern matches that was asked for
 * @param hash of the names, as Pulsar computes it: by it a client tells whether its own list is the same
 */
public record TopicList(List<String> names, boolean isFiltered, String hash) {
    /** The list of these names, which are in alphabetical order. */
    static TopicList of(List<String> sorted, boolean isFiltered) {
        return new TopicList(sorted, isFiltered, hash(sorted));
    }

    /** CRC-32C of the names with commas between them, its bytes in hexadecimal from the lowest. */
    static String hash(Collection<String> sorted) {
        CRC32C crc = new CRC32C();
        boolean first = true;
        for (String name : sorted) {
            if (!first) {
                crc.update(',');
            }
            first = false;
            crc.update(name.getBytes(StandardCharsets.UTF_8));
        }
        return String.format(Locale.ROOT, "%08x", Integer.reverseBytes((int) crc.getValue()));
    }
}
