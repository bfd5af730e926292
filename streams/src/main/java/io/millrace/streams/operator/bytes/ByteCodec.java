package io.millrace.streams.operator.bytes;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes bytes of bytes, as they come; one object for each run. */
public interface ByteCodec extends AutoCloseable {
    /** Takes more bytes; called only when {@link #next} has nothing left. */
    void accept(ByteBuffer chunk);

    /** There are no more bytes; called only when {@link #next} has nothing left. */
    void finish();

    /** What comes next of what was accepted, or null if there is nothing left. */
    @Nullable
    ByteBuffer next() throws Exception;

    /** Lets go of what it holds; called once. */
    @Override
    default void close() {}
}
