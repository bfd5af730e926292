package io.millrace.broker.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutOfMemoryTest {
    @Test
    @Behaviour("PRO-13")
    void aFullHeapIsToldHoweverDeepItLies() {
        OutOfMemoryError error = new OutOfMemoryError("Java heap space");
        try (ToldErrors errors = new ToldErrors()) {
            OutOfMemory.tell(error);
            OutOfMemory.tell(new IllegalStateException(new RuntimeException(error)));
            OutOfMemory.tell(new OutOfMemoryError());
            assertThat(errors.told()).hasSize(3).startsWith(error, error);
        }
    }

    @Test
    void whatElseFailsIsNotTold() {
        try (ToldErrors errors = new ToldErrors()) {
            OutOfMemory.tell(null);
            OutOfMemory.tell(new IllegalStateException("none"));
            OutOfMemory.tell(new StackOverflowError());
            OutOfMemory.tell(new IOException(new OutOfMemoryError("Java heap space")));
            OutOfMemory.tell(lackOfDirectMemory());
            assertThat(errors.told()).isEmpty();
        }
    }

    /** As this JVM words it. */
    private static Throwable lackOfDirectMemory() {
        List<ByteBuffer> held = new ArrayList<>();
        Throwable lack = catchThrowable(() -> {
            while (held.size() < 1 << 17) {
                held.add(ByteBuffer.allocateDirect(Integer.MAX_VALUE));
            }
        });
        assertThat(lack).isInstanceOf(OutOfMemoryError.class);
        return lack;
    }
}
