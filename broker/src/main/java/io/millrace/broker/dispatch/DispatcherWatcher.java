package io.millrace.broker.dispatch;

/** What a topic hears of a dispatcher, in the dispatcher's island. */
@FunctionalInterface
public interface DispatcherWatcher {
    /** The last consumer has left. */
    void deserted();

    /** Something happens that may change what {@link DispatcherStats} tell. */
    default void changing() {}
}
