package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A file system in memory that keeps a trace of every change and force, from which the state after a power loss at any
 * point can be made: of each unforced 512-byte sector, length and name either the old or the new is there. A force
 * without length makes bytes durable, but not the file's growth. Thread-safe.
 */
public final class SimulatedDisk implements Disk {
    static final int SECTOR_BYTES = 512;
    /** Seeds that follow each other would begin with the same decision. */
    private static final long SEED_SPREAD = 0x9E3779B97F4A7C15L;

    /** One change or force; a name change maps names of one directory to nodes, or to nothing (null). */
    public sealed interface Change {
        @SuppressWarnings("ArrayRecordComponent")
        record Write(int node, long offset, byte[] bytes) implements Change {}

        record Names(Path directory, Map<String, Integer> names) implements Change {}

        record Force(int node, boolean withLength, ForcePoint point) implements Change {}

        record ForceNames(Path directory, ForcePoint point) implements Change {}
    }

    private record Place(long from, long to) {}

    /** Contents as seen, and as certain to survive. */
    private static final class Node {
        byte[] seen = {};
        byte[] durable = {};
        int durableLength;
        final BitSet unforced = new BitSet();

        void write(long offset, byte[] bytes) {
            int end = (int) offset + bytes.length;
            if (end > seen.length) {
                seen = Arrays.copyOf(seen, end);
            }
            System.arraycopy(bytes, 0, seen, (int) offset, bytes.length);
            unforced.set((int) offset / SECTOR_BYTES, (end - 1) / SECTOR_BYTES + 1);
        }

        void force(boolean withLength) {
            durable = seen.clone();
            unforced.clear();
            durableLength = withLength ? seen.length : durableLength;
        }

        byte[] afterPowerLoss(Random random) {
            byte[] left = Arrays.copyOf(durable, seen.length);
            for (int sector = unforced.nextSetBit(0); sector >= 0; sector = unforced.nextSetBit(sector + 1)) {
                if (random.nextBoolean()) {
                    int start = sector * SECTOR_BYTES;
                    int end = Math.min(start + SECTOR_BYTES, seen.length);
                    System.arraycopy(seen, start, left, start, end - start);
                }
            }
            boolean grown = seen.length > durableLength && random.nextBoolean();
            return grown ? left : Arrays.copyOf(left, Math.min(durableLength, left.length));
        }
    }

    private final Map<Integer, Node> nodes = new HashMap<>();
    private final Map<Path, Map<String, Integer>> directories = new TreeMap<>();
    private final Map<Path, Integer> directoryNodes = new HashMap<>();
    private final List<Change> trace = new ArrayList<>();
    private final Set<Path> locked = new HashSet<>();
    private final Map<ForcePoint, IOException> failures = new EnumMap<>(ForcePoint.class);
    private final Map<ForcePoint, Integer> forceCounts = new EnumMap<>(ForcePoint.class);
    private final Set<ForcePoint> held = new HashSet<>();
    private final Map<Path, Place> unreadable = new HashMap<>();
    private String fullForOneWriteTo;
    private String undeletable;
    private boolean isReadOnly;
    private long capacityBytes = Long.MAX_VALUE;
    private int nextNode = 1;
    private int waiting;

    public SimulatedDisk() {
        directories.put(Path.of("/"), new TreeMap<>());
    }

    /** The disk as every process sees it after the first {@code length} changes. */
    public static SimulatedDisk upTo(List<Change> trace, int length) {
        SimulatedDisk disk = new SimulatedDisk();
        for (Change change : trace.subList(0, length)) {
            disk.redo(change);
        }
        return disk;
    }

    /** What is left when the power fails after the first {@code length} changes, with one kind of force ignored. */
    public static SimulatedDisk afterPowerLoss(List<Change> trace, int length, long seed, ForcePoint ignored) {
        Random random = new Random(seed * SEED_SPREAD);
        Map<Integer, Node> nodes = new TreeMap<>();
        Map<Path, Map<String, Integer>> durableNames = new TreeMap<>();
        Map<Path, List<Map<String, Integer>>> unforcedNames = new TreeMap<>();
        for (Change change : trace.subList(0, length)) {
            if (change instanceof Change.Write write) {
                nodes.computeIfAbsent(write.node(), id -> new Node()).write(write.offset(), write.bytes());
            } else if (change instanceof Change.Force force && force.point() != ignored) {
                nodes.computeIfAbsent(force.node(), id -> new Node()).force(force.withLength());
            } else if (change instanceof Change.Names names) {
                unforcedNames
                        .computeIfAbsent(names.directory(), d -> new ArrayList<>())
                        .add(names.names());
            } else if (change instanceof Change.ForceNames force && force.point() != ignored) {
                List<Map<String, Integer>> forced = unforcedNames.remove(force.directory());
                if (forced != null) {
                    forced.forEach(durableNames.computeIfAbsent(force.directory(), d -> new TreeMap<>())::putAll);
                }
            }
        }
        unforcedNames.forEach((directory, changes) -> changes.forEach(change -> {
            if (random.nextBoolean()) {
                durableNames.computeIfAbsent(directory, d -> new TreeMap<>()).putAll(change);
            }
        }));
        SimulatedDisk left = new SimulatedDisk();
        durableNames.forEach((directory, names) -> {
            if (left.directories.containsKey(directory)) {
                names.forEach((name, node) -> left.restore(directory, name, node, nodes, random));
            }
        });
        return left;
    }

    private void restore(Path directory, String name, Integer node, Map<Integer, Node> nodes, Random random) {
        Path path = directory.resolve(name);
        if (node == null) {
            return;
        }
        nextNode = Math.max(nextNode, node + 1);
        redo(new Change.Names(directory, Map.of(name, node)));
        if (node < 0) {
            directories.putIfAbsent(path, new TreeMap<>());
        } else {
            byte[] bytes = nodes.getOrDefault(node, new Node()).afterPowerLoss(random);
            redo(new Change.Write(node, 0, bytes));
            redo(new Change.Force(node, true, ForcePoint.JOURNAL_FILE));
        }
        redo(new Change.ForceNames(directory, ForcePoint.JOURNAL_DIRECTORY));
    }

    private synchronized void redo(Change change) {
        trace.add(change);
        if (change instanceof Change.Write write && write.bytes().length > 0) {
            node(write.node()).write(write.offset(), write.bytes());
        } else if (change instanceof Change.Names names) {
            names.names().forEach((name, node) -> rename(names.directory(), name, node));
        }
    }

    private void rename(Path directory, String name, Integer node) {
        Map<String, Integer> names = directories.computeIfAbsent(directory, d -> new TreeMap<>());
        if (node == null) {
            names.remove(name);
        } else {
            names.put(name, node);
            nextNode = Math.max(nextNode, Math.abs(node) + 1);
            if (node < 0) {
                directories.putIfAbsent(directory.resolve(name), new TreeMap<>());
            }
        }
    }

    private Node node(int id) {
        return nodes.computeIfAbsent(id, unknown -> new Node());
    }

    public synchronized int changeCount() {
        return trace.size();
    }

    public synchronized List<Change> trace() {
        return List.copyOf(trace);
    }

    synchronized int forceCount(ForcePoint point) {
        return forceCounts.getOrDefault(point, 0);
    }

    /** From now on that force fails, every time. */
    public synchronized void failForce(ForcePoint point, IOException failure) {
        failures.put(point, failure);
    }

    /** The next write to a file of that ending finds the disk full. */
    synchronized void failNextWrite(String ending) {
        fullForOneWriteTo = ending;
    }

    /** From now on files of that ending cannot be deleted. */
    synchronized void failDeletes(String ending) {
        undeletable = ending;
    }

    /** From now on no file can be opened for writing, made, renamed or deleted, and no folder locked. */
    synchronized void makeReadOnly() {
        isReadOnly = true;
    }

    private void requireWritable(Path path) throws IOException {
        if (isReadOnly) {
            throw new IOException(path + " is on a disk that is read-only");
        }
    }

    /** From now on files may not grow beyond so many bytes in total. */
    public synchronized void setCapacity(long bytes) {
        capacityBytes = bytes;
    }

    public synchronized long usedBytes() {
        long used = 0;
        for (Map<String, Integer> names : directories.values()) {
            for (int node : names.values()) {
                used += node > 0 ? node(node).seen.length : 0;
            }
        }
        return used;
    }

    /** From now on that force waits until {@link #release}. */
    public synchronized void hold(ForcePoint point) {
        held.add(point);
    }

    public synchronized void release(ForcePoint point) {
        held.remove(point);
        notifyAll();
    }

    /** Waits until a force is held up. */
    synchronized void awaitHeld() throws InterruptedException {
        while (waiting == 0) {
            wait();
        }
    }

    /** Changes one byte of a file without a trace: damage. */
    public synchronized void flip(Path file, long offset) throws IOException {
        node(find(file)).seen[(int) offset] ^= 0x40;
    }

    /** From now on these bytes of that file cannot be read. */
    public synchronized void failReads(Path file, long from, long to) {
        unreadable.put(file, new Place(from, to));
    }

    /** Cuts off the end of a file without a trace: damage. */
    synchronized void truncate(Path file, int length) throws IOException {
        Node node = node(find(file));
        node.seen = Arrays.copyOf(node.seen, length);
    }

    public synchronized byte[] bytes(Path file) throws IOException {
        return node(find(file)).seen.clone();
    }

    private int find(Path file) throws IOException {
        Integer node = directories.getOrDefault(file.getParent(), Map.of()).get(name(file));
        if (node == null) {
            throw new NoSuchFileException(file.toString());
        }
        return node;
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private synchronized void beforeForce(ForcePoint point) throws IOException {
        waiting++;
        notifyAll();
        while (held.contains(point)) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        waiting--;
        forceCounts.merge(point, 1, Integer::sum);
        IOException failure = failures.get(point);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public synchronized DiskFile open(Path file) throws IOException {
        requireWritable(file);
        return new File(file, find(file));
    }

    @Override
    public synchronized DiskFile openForReading(Path file) throws IOException {
        return new File(file, find(file));
    }

    @Override
    public synchronized DiskFile create(Path file) throws IOException {
        requireWritable(file);
        if (!exists(file)) {
            redo(new Change.Names(file.getParent(), Map.of(name(file), nextNode++)));
        }
        return open(file);
    }

    @Override
    public synchronized boolean createDirectories(Path directory) {
        if (directories.containsKey(directory)) {
            return false;
        }
        createDirectories(directory.getParent());
        int node = directoryNodes.computeIfAbsent(directory, unknown -> -nextNode++);
        redo(new Change.Names(directory.getParent(), Map.of(name(directory), node)));
        return true;
    }

    @Override
    public synchronized List<String> list(Path directory) {
        return List.copyOf(directories.get(directory).keySet());
    }

    @Override
    public synchronized boolean exists(Path file) {
        return directories.containsKey(file)
                || directories.getOrDefault(file.getParent(), Map.of()).containsKey(name(file));
    }

    @Override
    public synchronized long size(Path file) throws IOException {
        return exists(file) ? node(find(file)).seen.length : -1;
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        requireWritable(to);
        Map<String, Integer> names = new HashMap<>();
        names.put(name(from), null);
        names.put(name(to), find(from));
        redo(new Change.Names(from.getParent(), names));
    }

    @Override
    public synchronized void delete(Path file) throws IOException {
        requireWritable(file);
        if (undeletable != null && name(file).endsWith(undeletable)) {
            throw new IOException(file + " cannot be deleted");
        }
        if (exists(file)) {
            Map<String, Integer> names = new HashMap<>();
            names.put(name(file), null);
            redo(new Change.Names(file.getParent(), names));
        }
    }

    @Override
    public void forceDirectory(Path directory, ForcePoint point) throws IOException {
        beforeForce(point);
        redo(new Change.ForceNames(directory, point));
    }

    @Override
    public synchronized Closeable lock(Path folder) throws IOException {
        requireWritable(folder);
        if (!locked.add(folder)) {
            throw new IOException(folder + " is in use by another broker");
        }
        return () -> locked.remove(folder);
    }

    private final class File implements DiskFile {
        private final Path path;
        private final int id;

        File(Path path, int id) {
            this.path = path;
            this.id = id;
        }

        @Override
        public long size() {
            synchronized (SimulatedDisk.this) {
                return node(id).seen.length;
            }
        }

        @Override
        public void lock() {}

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            synchronized (SimulatedDisk.this) {
                Place bad = unreadable.get(path);
                if (bad != null && offset < bad.to && offset + target.remaining() > bad.from) {
                    throw new IOException(path + " cannot be read");
                }
                byte[] seen = node(id).seen;
                int count = (int) Math.max(0, Math.min(target.remaining(), seen.length - offset));
                target.put(seen, (int) Math.min(offset, seen.length), count);
                return count;
            }
        }

        @Override
        public void write(long offset, ByteBuffer... sources) throws IOException {
            int total = 0;
            for (ByteBuffer source : sources) {
                total += source.remaining();
            }
            byte[] bytes = new byte[total];
            int at = 0;
            for (ByteBuffer source : sources) {
                int count = source.remaining();
                source.get(bytes, at, count);
                at += count;
            }
            synchronized (SimulatedDisk.this) {
                long growth = Math.max(0, offset + total - node(id).seen.length);
                boolean full = fullForOneWriteTo != null && name(path).endsWith(fullForOneWriteTo);
                fullForOneWriteTo = full ? null : fullForOneWriteTo;
                if (full || (growth > 0 && usedBytes() + growth > capacityBytes)) {
                    throw new DiskFullException("No space left for " + path, null);
                }
                redo(new Change.Write(id, offset, bytes));
            }
        }

        @Override
        public void force(boolean withLength, ForcePoint point) throws IOException {
            beforeForce(point);
            redo(new Change.Force(id, withLength, point));
        }

        @Override
        public void close() {}
    }
}
