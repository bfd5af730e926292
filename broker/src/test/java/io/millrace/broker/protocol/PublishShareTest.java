package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PublishShareTest {
    private final PublishShare memory = new PublishShare(100, ReadGate.Reason.PUBLISH_MEMORY);

    @Test
    @Behaviour("PRO-6")
    void whoMeetsTheLimitGoesOnWhenHalfIsFree() {
        List<String> resumed = new ArrayList<>();
        assertThat(memory.take(60)).isTrue();
        assertThat(memory.take(40)).isFalse();
        memory.whenRoom(() -> resumed.add("first"));
        memory.whenRoom(() -> resumed.add("second"));
        memory.giveBack(49);
        assertThat(resumed).isEmpty();
        memory.giveBack(1);
        assertThat(resumed).containsExactly("first", "second");
        memory.giveBack(50);
        assertThat(resumed).hasSize(2);
    }

    @Test
    @Behaviour("PRO-6")
    void whoWaitsWhenTheRoomIsThereAlreadyIsNotForgotten() {
        List<String> resumed = new ArrayList<>();
        memory.take(100);
        memory.giveBack(100);
        memory.whenRoom(() -> resumed.add("late"));
        assertThat(resumed).containsExactly("late");
    }

    @Test
    @Behaviour("PRO-6")
    void nobodyWaitsForEverWhileOthersGiveBack() throws Exception {
        Semaphore handedOver = new Semaphore(0);
        Thread giver = new Thread(() -> {
            for (int i = 0; i < 20_000; i++) {
                handedOver.acquireUninterruptibly();
                memory.giveBack(100);
            }
        });
        giver.start();
        for (int i = 0; i < 20_000; i++) {
            Semaphore resumed = new Semaphore(0);
            memory.take(100);
            handedOver.release();
            memory.whenRoom(resumed::release);
            assertThat(resumed.tryAcquire(20, TimeUnit.SECONDS))
                    .as("round " + i)
                    .isTrue();
        }
        giver.join();
        assertThat(memory.pendingBytes()).isZero();
    }
}
