package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherStats.Sent;
import io.millrace.broker.topic.TopicFigures.Consumed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the subscriptions of a topic were sent since it is open. Owned by the topic's control stage. */
final class Consumption {
    private final Collection<SubscriptionSlot> subscriptions;
    /** By dispatchers that have ended. */
    private Sent before = Sent.NOTHING;

    Consumption(Collection<SubscriptionSlot> subscriptions) {
        this.subscriptions = subscriptions;
    }

    /** Its dispatcher has ended. */
    void ended(SubscriptionSlot subscription) {
        before = before.plus(subscription.sent.getNow(Sent.NOTHING));
    }

    /** What each dispatcher says; of one that ends meanwhile, only what it had sent. */
    CompletableFuture<Consumed> figures() {
        Consumed ended = Consumed.before(before);
        List<CompletableFuture<Consumed>> answers = new ArrayList<>();
        for (SubscriptionSlot subscription : subscriptions) {
            if (subscription.dispatcher != null) {
                answers.add(subscription.figures(subscription.dispatcher));
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<Consumed> all = new ArrayList<>(List.of(ended));
                    answers.forEach(answer -> all.add(answer.join()));
                    return Consumed.of(all);
                });
    }
}
