package io.millrace.broker.memory;

import io.netty.util.internal.PlatformDependent;

/** The memory outside the heap that the process may take for buffers. */
public final class DirectMemory {
    private DirectMemory() {}

    /** Its limit, in bytes: what {@code -XX:MaxDirectMemorySize} says, else as much as the heap. */
    public static long limitBytes() {
        return PlatformDependent.estimateMaxDirectMemory();
    }

    /** The limit divided by {@code parts}, kept between two bounds in bytes. */
    public static long part(int parts, long minBytes, long maxBytes) {
        return part(limitBytes(), parts, minBytes, maxBytes);
    }

    static long part(long limitBytes, int parts, long minBytes, long maxBytes) {
        return Math.max(minBytes, Math.min(maxBytes, limitBytes / parts));
    }
}
