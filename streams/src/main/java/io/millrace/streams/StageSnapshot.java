package io.millrace.streams;

/** One live stage: its number in the stream, its operator path, and how many of its ports are still open. */
public record StageSnapshot(int index, String name, int openPorts) {}
