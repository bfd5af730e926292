package io.millrace.broker.log;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/** The log of all topics of a broker in one data folder. Thread-safe. */
public final class BrokerLog implements AutoCloseable {
    private BrokerLog() {}

    /** Opens the folder, making it if it is missing, and recovers what is in it; fails if another process holds it. */
    public static BrokerLog open(LogConfig config, Disk disk) throws IOException {
        return notLanded();
    }

    public Collection<String> topicNames() {
        return notLanded();
    }

    /** The topic of that name; done when it is durable, made if there was none. */
    public CompletionStage<TopicLog> openTopic(String name) {
        return notLanded();
    }

    /** Deletes the topic with its entries and cursors; done when that is durable. */
    public CompletionStage<Void> deleteTopic(String name) {
        return notLanded();
    }

    public LogState state() {
        return notLanded();
    }

    /** Makes durable what was appended, tells the listeners, and closes every file; further calls do nothing. */
    @Override
    public void close() {
        notLanded();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <T> T notLanded() {
        throw new UnsupportedOperationException("not landed yet");
    }
}
