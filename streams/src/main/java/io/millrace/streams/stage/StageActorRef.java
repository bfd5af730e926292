package io.millrace.streams.stage;

import io.millrace.streams.Done;
import io.millrace.streams.engine.Channel;
import java.util.concurrent.CompletionStage;

/** The address of a running stage: any thread may send it messages. It may be kept longer than the stage lives. */
public final class StageActorRef<T> {
    private final Channel<T> channel;

    StageActorRef(Channel<T> channel) {
        this.channel = channel;
    }

    /**
     * Sends a message; never blocks. Messages of one sender keep their order; those sent before the stage has started
     * wait for it; those that come after it has stopped are dropped and counted.
     */
    public void tell(T message) {
        channel.send(message);
    }

    /** Completes once the stage has stopped, for whatever reason. */
    public CompletionStage<Done> whenTerminated() {
        return channel.whenClosed();
    }

    public boolean isTerminated() {
        return channel.isClosed();
    }

    /** How many messages came too late. */
    public long droppedCount() {
        return channel.droppedCount();
    }
}
