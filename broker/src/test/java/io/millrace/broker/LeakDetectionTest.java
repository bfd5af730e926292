package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LeakDetectionTest {
    @Test
    @Timeout(30)
    @Behaviour("PRO-6")
    void aBufferThatIsNeverReleasedIsFound() {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        leak();
        List<String> leaks = new ArrayList<>(LeakDetection.collect());
        while (leaks.isEmpty()) {
            leaks.addAll(LeakDetection.collect());
        }
        assertThat(leaks.get(0)).contains("LeakDetectionTest.leak");
    }

    private static void leak() {
        assertThat(PooledByteBufAllocator.DEFAULT.directBuffer(1).refCnt()).isOne();
    }
}
