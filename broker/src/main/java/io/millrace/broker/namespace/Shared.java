package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.CursorChange;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.LogUnavailableException;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.Topics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What the verbs of this room work with. */
record Shared(BrokerLog log, Topics topics, NamespaceSettings settings, MemoryBudget memory) {
    /** Refuses what would be stored, if there is no memory for it. */
    void requireRoom() {
        memory.stored(log.storedBytes());
        if (!memory.hasRoomForTopics()) {
            throw new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.topicRefusal());
        }
    }

    /** Makes a change durable; fails with a {@link BrokerException}. */
    CompletionStage<Void> store(LogChange change) {
        return told(() -> log.change(change));
    }

    /** The same of cursors. */
    CompletionStage<Void> store(CursorChange change) {
        return told(() -> log.change(change));
    }

    private static CompletionStage<Void> told(Supplier<CompletionStage<Void>> change) {
        try {
            return change.get().handle((done, failure) -> {
                if (failure != null) {
                    throw new CompletionException(refusal(failure));
                }
                return null;
            });
        } catch (IllegalArgumentException tooLarge) {
            return CompletableFuture.failedFuture(
                    new BrokerException(ErrorKind.NOT_ALLOWED, String.valueOf(tooLarge.getMessage()), tooLarge));
        }
    }

    /** A failure as the answer to a request. */
    static Throwable refusal(Throwable failure) {
        Throwable cause = Outcomes.cause(failure);
        return cause instanceof LogUnavailableException
                ? new BrokerException(ErrorKind.PERSISTENCE_ERROR, "nothing was changed: " + cause.getMessage(), cause)
                : cause;
    }
}
