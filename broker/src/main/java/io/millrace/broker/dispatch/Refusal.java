package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Acknowledged;
import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Locate;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.dispatch.DispatcherCommand.Stats;
import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import java.util.concurrent.CompletableFuture;

/** Answers the commands that reach a dispatcher that is ending. */
record Refusal(String subscription) {
    void answer(DispatcherCommand command) {
        if (command instanceof Attach attach) {
            refuse(attach.reply());
        } else if (command instanceof Ack ack && ack.receipt() != null) {
            refuse(ack.receipt());
        } else if (command instanceof Seek seek) {
            refuse(seek.reply());
        } else if (command instanceof Skip skip) {
            refuse(skip.reply());
        } else if (command instanceof Locate locate) {
            refuse(locate.reply());
        } else if (command instanceof Acknowledged acknowledged) {
            refuse(acknowledged.reply());
        } else if (command instanceof Unsubscribe unsubscribe) {
            refuse(unsubscribe.reply());
        } else if (command instanceof Stats stats) {
            refuse(stats.reply());
        } else if (command instanceof Close close) {
            refuse(close.reply());
        } else if (command instanceof Inspect inspect) {
            refuse(inspect.reply());
        }
    }

    private void refuse(CompletableFuture<?> reply) {
        reply.completeExceptionally(
                new BrokerException(ErrorKind.SERVICE_NOT_READY, "subscription " + subscription + " is closing"));
    }
}
