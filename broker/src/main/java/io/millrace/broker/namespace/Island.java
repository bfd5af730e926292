package io.millrace.broker.namespace;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Where everything of this room runs, one thing at a time. */
interface Island {
    /** The same outcome, told in the island. */
    <T> CompletionStage<T> home(CompletionStage<T> elsewhere);

    /** Runs something in the island after that time; in the island. */
    void after(Duration time, Runnable task);

    /** What times are measured by that pass in it, in nanoseconds from an arbitrary moment. */
    long nanoTime();

    /** Runs something in the island, in its turn; from any thread. */
    void later(Runnable task);
}
