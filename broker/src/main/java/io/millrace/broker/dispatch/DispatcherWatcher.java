package io.millrace.broker.dispatch;

/** What a topic hears of a dispatcher, in the dispatcher's island. */
@FunctionalInterface
public interface DispatcherWatcher {
    /** The last consumer has left. */
    void deserted();

    /** It ends, having sent so much; before it refuses to tell, and once more at its end. */
    default void ending(DispatcherStats.Sent sent) {}

    /** Something happens that may change what {@link DispatcherStats} tell. */
    default void changing() {}
}
