package io.millrace.streams.engine.pool;

import io.millrace.streams.OwnJvm;
import io.millrace.testkit.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FullHeapTurnsTest {
    @Test
    @Behaviour("MAT-6")
    void aTaskRunsThoughThereIsNoMemoryToNoteThatItDoes() throws Exception {
        OwnJvm.assertSucceeds(FullHeapTurnsProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:-UseTLAB"));
    }
}
