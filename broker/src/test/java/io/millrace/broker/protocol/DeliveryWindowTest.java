package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DeliveryWindowTest {
    private static final int LIMIT_BYTES = 100;

    private final DeliveryWindow window = new DeliveryWindow(LIMIT_BYTES, () -> true);

    @Test
    @Behaviour("PRO-6")
    void aFullWindowIsShutUntilBytesAreWritten() {
        assertThat(window.isWritable()).isTrue();
        window.handed(LIMIT_BYTES);
        assertThat(window.isWritable()).isFalse();
        assertThat(window.reopened()).isFalse();
        window.written(1);
        assertThat(window.reopened()).isTrue();
        assertThat(window.isWritable()).isTrue();
    }

    @Test
    @Behaviour("PRO-6")
    void nobodyIsWokenWhoDidNotFindItShut() {
        window.handed(LIMIT_BYTES);
        window.written(LIMIT_BYTES);
        assertThat(window.reopened()).isFalse();
    }

    @Test
    @Behaviour("PRO-6")
    void aWaitingIslandIsAlwaysWokenByTheLoopThatMadeRoom() throws Exception {
        int rounds = 200_000;
        Semaphore wakeUps = new Semaphore(0);
        Semaphore toWrite = new Semaphore(0);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread loop = new Thread(() -> {
            try {
                for (int i = 0; i < rounds; i++) {
                    toWrite.acquire();
                    window.written(LIMIT_BYTES);
                    if (window.reopened()) {
                        wakeUps.release();
                    }
                }
            } catch (InterruptedException | RuntimeException e) {
                failure.set(e);
            }
        });
        loop.start();
        for (int i = 0; i < rounds; i++) {
            window.handed(LIMIT_BYTES);
            toWrite.release();
            while (!window.isWritable()) {
                assertThat(wakeUps.tryAcquire(20, TimeUnit.SECONDS))
                        .as("round " + i)
                        .isTrue();
            }
        }
        loop.join(20_000);
        assertThat(failure.get()).isNull();
    }
}
