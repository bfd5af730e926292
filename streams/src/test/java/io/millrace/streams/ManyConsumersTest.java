package io.millrace.streams;

import io.millrace.testkit.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Consumers cost little enough that a hundred thousand of them fit into a heap of 512 MB, ten thousand into a tenth. */
class ManyConsumersTest {
    private static final boolean DEEP = Boolean.getBoolean("millrace.deep");
    private static final int CONSUMERS = DEEP ? 100_000 : 10_000;
    private static final int HEAP_MEGABYTES = DEEP ? 512 : 52;

    @Test
    @Behaviour("BHUB-4")
    void everyoneOfVeryManyConsumersGetsEverythingInLittleMemory() throws Exception {
        OwnJvm.assertSucceeds(
                ManyConsumersProgram.class,
                List.of("-Xmx" + HEAP_MEGABYTES + "m", "-XX:+ExitOnOutOfMemoryError"),
                String.valueOf(CONSUMERS));
    }
}
