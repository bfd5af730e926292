package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Acknowledges messages of a certain age on every subscription of a topic. */
final class Expiry {
    private Expiry() {}

    /** The position right before that one, as a subscription's mark has it. */
    static Position before(TopicLog log, Position first) {
        return Dispatchers.startingAt(log, first);
    }

    /**
     * Acknowledges what was published before that time, wherever it is not acknowledged; done when that is durable. A
     * subscription that ends meanwhile is left out.
     */
    static CompletionStage<Void> of(Topic topic, TopicLog log, long publishedBeforeMillis) {
        return log.findByTime(publishedBeforeMillis).thenCompose(first -> {
            Position last = before(log, first);
            return behind(topic, log, last)
                    .thenCompose(names -> topic.expire(names, last).exceptionally(Expiry::unlessEnding));
        });
    }

    private static @Nullable Void unlessEnding(Throwable failure) {
        BrokerException refusal = LogRefusal.of("a subscription", failure);
        if (refusal.kind() == ErrorKind.SERVICE_NOT_READY) {
            return null;
        }
        throw refusal;
    }

    /** The subscriptions whose marks are before that position; none is opened to be asked. */
    private static CompletionStage<List<String>> behind(Topic topic, TopicLog log, Position last) {
        return log.facts().thenCombine(topic.figures(), (facts, figures) -> {
            List<String> names = new ArrayList<>();
            facts.cursors().stream()
                    .filter(cursor -> cursor.markDelete().isBefore(last))
                    .forEach(cursor -> names.add(cursor.name()));
            figures.subscriptions().stream()
                    .filter(each ->
                            !each.isDurable() && each.stats().markDelete().isBefore(last))
                    .forEach(each -> names.add(each.name()));
            return names;
        });
    }
}
