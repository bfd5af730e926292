package io.millrace.broker.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Open ledger files, at most a fixed number beyond those in use; the least recently used is closed first.
 *
 * <p><b>Threads</b>: any; everything under this monitor, also opening a file, which is quick. <b>Shared</b>: the map in
 * order of use, and the count of users in each lease. <b>States</b>: in use -> idle -> closed. <b>Proved by</b>:
 * ManyTopicsTest.
 */
final class OpenFiles {
    private static final int MAX_OPEN = 64;

    private final Disk disk;
    private final Map<Path, Lease> open = new LinkedHashMap<>(16, 0.75f, true);

    OpenFiles(Disk disk) {
        this.disk = disk;
    }

    /** A file in use until it is given back by closing the lease. */
    final class Lease implements AutoCloseable {
        private final DiskFile file;
        private int users;
        private boolean forgotten;

        private Lease(DiskFile file) {
            this.file = file;
        }

        DiskFile file() {
            return file;
        }

        @Override
        public void close() throws IOException {
            giveBack(this);
        }
    }

    synchronized Lease open(Path path) throws IOException {
        return use(path, false);
    }

    synchronized Lease create(Path path) throws IOException {
        return use(path, true);
    }

    private Lease use(Path path, boolean create) throws IOException {
        Lease lease = open.get(path);
        if (lease == null) {
            lease = new Lease(create ? disk.create(path) : disk.open(path));
            open.put(path, lease);
        }
        lease.users++;
        return lease;
    }

    private synchronized void giveBack(Lease lease) throws IOException {
        lease.users--;
        if (lease.users == 0 && lease.forgotten) {
            lease.file.close();
        }
        Iterator<Lease> oldest = open.values().iterator();
        while (open.size() > MAX_OPEN && oldest.hasNext()) {
            Lease candidate = oldest.next();
            if (candidate.users == 0) {
                oldest.remove();
                candidate.file.close();
            }
        }
    }

    /** Closes the file, once nobody uses it, and deletes it. */
    synchronized void delete(Path path) throws IOException {
        Lease lease = open.remove(path);
        if (lease != null) {
            lease.forgotten = true;
            if (lease.users == 0) {
                lease.file.close();
            }
        }
        disk.delete(path);
    }

    synchronized void close() throws IOException {
        for (Lease lease : open.values()) {
            lease.file.close();
        }
        open.clear();
    }
}
