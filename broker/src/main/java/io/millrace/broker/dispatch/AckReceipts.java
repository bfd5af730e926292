package io.millrace.broker.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Futures that wait until the cursor's log is durable up to a number; the numbers only grow. */
final class AckReceipts {
    private record Waiting(long number, CompletableFuture<Void> future) {}

    private final List<CompletableFuture<Void>> asked = new ArrayList<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private long lastLogged;
    private long lastDurable;

    void ask(CompletableFuture<Void> receipt) {
        asked.add(receipt);
    }

    /** The log took a change under this number. */
    void logged(long number) {
        lastLogged = number;
    }

    /** The log took everything that the receipts asked for so far depend on. */
    void asLogged() {
        for (CompletableFuture<Void> receipt : asked) {
            if (lastLogged <= lastDurable) {
                receipt.complete(null);
            } else {
                waiting.add(new Waiting(lastLogged, receipt));
            }
        }
        asked.clear();
    }

    /** The log refused what the receipts asked for so far depend on. */
    void refuse(BrokerException reason) {
        asked.forEach(receipt -> receipt.completeExceptionally(reason));
        asked.clear();
    }

    void durable(long number) {
        lastDurable = Math.max(lastDurable, number);
        for (Waiting next = waiting.peek(); next != null && next.number <= lastDurable; next = waiting.peek()) {
            waiting.remove();
            next.future.complete(null);
        }
    }

    void fail(BrokerException reason) {
        refuse(reason);
        waiting.forEach(next -> next.future.completeExceptionally(reason));
        waiting.clear();
    }

    boolean isSettled() {
        return asked.isEmpty() && waiting.isEmpty();
    }
}
