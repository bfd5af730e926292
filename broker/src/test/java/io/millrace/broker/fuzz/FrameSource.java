package io.millrace.broker.fuzz;

/** Frames that no client should send. */
interface FrameSource {
    /** The next one; if its size field is wrong, nothing can be told from what follows it. */
    byte[] next();
}
