package io.millrace.streams.engine.pool;

/** A loop over elements of which the turn knows nothing but how to end it early. */
public interface Cuttable {
    /** Has the loop end with the element in hand. Any thread; the loop may be set anew meanwhile, which then counts. */
    void cut();
}
