package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The boundary to the file system. Methods are thread-safe; a full device is reported as {@link DiskFullException},
 * every other failure as an {@link IOException}. Durability is promised by forces alone: of a file's bytes by
 * {@link DiskFile#force}, of names by {@link #forceDirectory}.
 */
public interface Disk {
    /** Opens an existing file for reading and writing. */
    DiskFile open(Path file) throws IOException;

    /** Opens an existing file for reading alone, which needs no permission to write; its other methods fail. */
    DiskFile openForReading(Path file) throws IOException;

    /** Opens a file for reading and writing, making an empty one if there is none. */
    DiskFile create(Path file) throws IOException;

    /** Makes the directory and its missing parents; true if it was missing. */
    boolean createDirectories(Path directory) throws IOException;

    /** The names of the files in that directory. */
    List<String> list(Path directory) throws IOException;

    boolean exists(Path file);

    /** How many bytes the file has, or -1 if there is none. */
    long size(Path file) throws IOException;

    /** Replaces {@code to} by {@code from}, atomically. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes the file if it is there. */
    void delete(Path file) throws IOException;

    /** Makes the names in that directory durable. */
    void forceDirectory(Path directory, ForcePoint point) throws IOException;

    /** Takes the folder for this process until closed; refused with an {@link IOException} if another holds it. */
    Closeable lock(Path folder) throws IOException;
}
