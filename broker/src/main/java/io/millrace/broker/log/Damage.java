package io.millrace.broker.log;

import java.nio.file.Path;

/**
 * A place in a file of the log that cannot be read: it is not served, and the file is kept as it is. A torn tail is a
 * group that was being written when the process stopped: nothing in it had a receipt.
 */
public record Damage(Path file, long offset, String what, boolean isTornTail) {}
