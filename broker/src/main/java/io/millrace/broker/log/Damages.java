package io.millrace.broker.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The damage found since the log was opened, each place reported once.
 *
 * <p><b>Threads</b>: any, under this monitor. <b>Shared</b>: the list, bounded. <b>Proved by</b>: DamageTest.
 */
final class Damages {
    private static final Logger LOG = LoggerFactory.getLogger(Damages.class);
    private static final int MAX_KEPT = 1_000;

    private final List<Damage> found = new ArrayList<>();

    synchronized void report(Path file, long offset, String what) {
        Damage damage = new Damage(file, offset, what, false);
        if (found.size() < MAX_KEPT && !found.contains(damage)) {
            found.add(damage);
            LOG.error("Damage in {} at byte {}: {}", file, offset, what);
        }
    }

    /** A group that was only partly written when the process or the machine stopped: nothing in it had a receipt. */
    synchronized void reportTorn(Path file, long offset, String what) {
        found.add(new Damage(file, offset, what, true));
        LOG.warn("{} at byte {}: {}", file, offset, what);
    }

    /** A file that ends at {@code bytes}, or is missing if that is negative, before the {@code expected} bytes of it. */
    void reportShort(Path file, long bytes, long expected) {
        if (bytes < 0) {
            report(file, 0, "the file is missing; " + expected + " bytes are expected");
        } else {
            report(file, bytes, "the file ends here; " + expected + " bytes are expected");
        }
    }

    synchronized List<Damage> found() {
        return List.copyOf(found);
    }
}
