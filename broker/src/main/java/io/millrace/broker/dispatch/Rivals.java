package io.millrace.broker.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the consumers in conflict with a new one whether they are alive, and detaches those that are not. Owned by the
 * island.
 */
final class Rivals {
    /** How many are asked for one new consumer. */
    private static final int MAX_ASKED = 100;

    private final IslandContext context;

    Rivals(IslandContext context) {
        this.context = context;
    }

    /** Detaches a consumer that is not alive any more. */
    interface Burial {
        void of(ConsumerLink dead);
    }

    /** Asks the first of them; {@code asked} runs when each has answered or was detached. */
    void ask(List<Consumer> consumers, Burial burial, Runnable asked) {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        List<ConsumerLink> dead = new ArrayList<>();
        for (Consumer consumer : consumers.subList(0, Math.min(MAX_ASKED, consumers.size()))) {
            CompletableFuture<Void> heard = new CompletableFuture<>();
            answers.add(heard);
            context.whenDone(consumer.link.isAlive(), (lives, failure) -> {
                if (Boolean.FALSE.equals(lives)) {
                    dead.add(consumer.link);
                }
                heard.complete(null);
            });
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        context.whenDone(all, (done, failure) -> {
            dead.forEach(burial::of);
            asked.run();
        });
    }
}
