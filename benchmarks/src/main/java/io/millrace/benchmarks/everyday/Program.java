package io.millrace.benchmarks.everyday;

/** Builds a stream, runs it and waits for its end. */
interface Program {
    /** Does nothing. */
    Program NONE = () -> 0;

    /** What the stream came to: a sum or a count, the same in each library. */
    long run();
}
