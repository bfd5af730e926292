package io.millrace.streams.graph;

/** The value of a future that says only that something has ended well. */
public enum Done {
    DONE
}
