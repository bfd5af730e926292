package io.millrace.testkit;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Schedulers;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each JUnit test that takes a {@link StreamRuntime} a runtime of its own, and fails the test when a stage, a task
 * or a timer outlives it. What ends within ten seconds of the test is no leak. Methods before and after each test may take
 * that runtime as well; constructors and methods before or after all tests may not, as no test closes theirs.
 */
public final class StreamRuntimeExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(StreamRuntimeExtension.class);

    /** Made by JUnit. */
    public StreamRuntimeExtension() {}

    /** A runtime and what drives its timers. */
    private record Held(StreamRuntime runtime, TrackedScheduler scheduler) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == StreamRuntime.class;
    }

    @Override
    public StreamRuntime resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "a StreamRuntime is made for one test, which closes it: take it in the test or in a method"
                            + " before or after each, not in " + parameter.getDeclaringExecutable());
        }
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        Held held = store.get(Held.class, Held.class);
        if (held == null) {
            TrackedScheduler scheduler = new TrackedScheduler(Schedulers.eventLoops());
            RuntimeSettings settings = RuntimeSettings.defaults().withName(context.getDisplayName());
            held = new Held(StreamRuntime.create(settings, scheduler), scheduler);
            store.put(Held.class, held);
        }
        return held.runtime();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Held held = context.getStore(NAMESPACE).remove(Held.class, Held.class);
        if (held == null) {
            return;
        }
        try {
            if (!held.runtime().isClosed()) {
                StreamLeakCheck.assertNothingLeft(held.runtime(), held.scheduler());
            }
        } finally {
            held.runtime().close();
        }
    }
}
