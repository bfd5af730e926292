package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Disk}; reads and writes at different offsets may run in different threads. */
public interface DiskFile extends Closeable {
    long size() throws IOException;

    /**
     * Takes the file until closed, for this process alone, or together with other readers if it was opened for reading;
     * refused with an {@link IOException} if another holds it.
     */
    void lock() throws IOException;

    /** Reads up to {@code target.remaining()} bytes at that offset; returns how many, 0 at the end of the file. */
    int read(ByteBuffer target, long offset) throws IOException;

    /** Writes all these bytes at that offset, growing the file as needed. */
    void write(long offset, ByteBuffer... sources) throws IOException;

    /** Makes all bytes written so far durable, and the file's length too if {@code withLength}. */
    void force(boolean withLength, ForcePoint point) throws IOException;
}
