package io.millrace.broker;

import java.util.List;

/**
 * What was found in a data folder, a line each: its topics with the entries that can be read, the tenants, namespaces
 * and partitioned topics, the places that cannot be read, and the entries with a receipt that are lost.
 *
 * @param isSound whether everything that had a receipt can be read
 */
public record FolderReport(
        boolean isSound, List<String> topics, List<String> names, List<String> damages, List<String> lost) {}
