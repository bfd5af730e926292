package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.StageActorRef;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedDispatcherTest {
    private static final SubscriptionSettings OTHER = SubscriptionSettings.durable("other", SubscriptionType.SHARED);

    @TempDir
    Path folder;

    /** The topic knows its cursor until it is closed, which may be much later. */
    @Test
    void theCursorOfADispatcherThatEndedDoesNotHoldIt() throws Exception {
        OneSubscription subscription =
                new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        try {
            CursorLog cursor = OneSubscription.await(subscription.log.openCursor("other", Position.BEFORE_ALL));
            WeakReference<CursorState> state = runAndEnd(subscription, cursor);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (state.get() != null) {
                assertThat(System.nanoTime() - end).isNegative();
                System.gc();
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(cursor.name()).isEqualTo("other");
        } finally {
            subscription.close();
        }
    }

    private static WeakReference<CursorState> runAndEnd(OneSubscription subscription, CursorLog cursor) {
        CursorState state = cursor.recovered();
        StageActorRef<DispatcherCommand> dispatcher = subscription.run(OTHER, cursor, state);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        dispatcher.tell(new DispatcherCommand.Close(closed));
        OneSubscription.await(closed);
        OneSubscription.await(dispatcher.whenTerminated());
        return new WeakReference<>(state);
    }
}
