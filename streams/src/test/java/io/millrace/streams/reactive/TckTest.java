package io.millrace.streams.reactive;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A runtime for each test factory; closing it ends what the TCK has left running. */
@Timeout(60)
abstract class TckTest {
    final List<StreamException> reported = new CopyOnWriteArrayList<>();
    final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("tck").withThreads(2).withFailureReporter(reported::add));

    @AfterEach
    void close() {
        runtime.close();
    }
}
