package io.millrace.streams.engine;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.testkit.StreamLeakCheck;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A runtime for each test, which must have no stream left when the test is over. */
@SuppressWarnings("this-escape") // what tests override gives settings, and looks at nothing of theirs
public abstract class EngineTest {
    protected final List<StreamException> reported = new CopyOnWriteArrayList<>();
    protected final StreamRuntime runtime = StreamRuntime.create(settings().withFailureReporter(reported::add));

    protected RuntimeSettings settings() {
        return RuntimeSettings.defaults().withName("test").withThreads(2);
    }

    @AfterEach
    void nothingMayBeLeft() {
        if (!runtime.isClosed()) {
            StreamLeakCheck.assertNoStreams(runtime);
            runtime.close();
        }
    }
}
