package io.millrace.streams.inspect;

import java.util.Map;

/**
 * One live stage: its number in the stream, its operator path, how many of its ports are still open, and what else it
 * tells of itself in named numbers.
 */
public record StageSnapshot(int index, String name, int openPorts, Map<String, Long> detail) {
    static final String BOUNDARY = "boundary";

    /** Whether it is an end of an asynchronous boundary, and no operator. */
    boolean isBoundary() {
        return name.equals(BOUNDARY);
    }
}
