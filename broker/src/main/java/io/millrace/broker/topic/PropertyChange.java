package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import org.jspecify.annotations.Nullable;

/** Replaces what users say of one subscription, in the log or in memory. Used by the topic's control stage. */
record PropertyChange(TopicParts parts, TopicCommand.SetProperties wanted) {
    /** Of that subscription, which the log does not keep; of one in the log if null. */
    void make(@Nullable SubscriptionSlot unstored) {
        try {
            if (unstored != null) {
                long before = Weights.properties(unstored.properties);
                take(parts.memory(), Weights.properties(wanted.properties()) - before);
                unstored.properties = wanted.properties();
                wanted.reply().complete(null);
                return;
            }
            if (!wanted.properties().isEmpty()) {
                parts.home().requireRoomToStore();
            }
        } catch (BrokerException refusal) {
            wanted.reply().completeExceptionally(refusal);
            return;
        }
        store();
    }

    private void store() {
        String name = wanted.subscription();
        parts.keeping().setProperties(name, wanted.properties()).whenComplete((found, failure) -> {
            if (failure != null) {
                wanted.reply().completeExceptionally(LogRefusal.of("subscription " + name, failure));
            } else if (found) {
                wanted.reply().complete(null);
            } else {
                wanted.reply().completeExceptionally(SubscriptionSlot.notFound(name));
            }
        });
    }

    /** Takes memory for subscriptions, or gives some back, which is never refused. */
    static void take(MemoryBudget memory, long bytes) {
        if (bytes <= 0) {
            memory.change(MemoryBudget.Kind.SUBSCRIPTIONS, bytes);
        } else if (!memory.tryTake(MemoryBudget.Kind.SUBSCRIPTIONS, bytes)) {
            memory.warn(MemoryBudget.Kind.SUBSCRIPTIONS);
            throw new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.refusal(MemoryBudget.Kind.SUBSCRIPTIONS));
        }
    }
}
