package io.millrace.streams;

import java.util.Map;

/**
 * One live stage: its number in the stream, its operator path, how many of its ports are still open, and what else it
 * tells of itself in named numbers.
 */
public record StageSnapshot(int index, String name, int openPorts, Map<String, Long> detail) {}
