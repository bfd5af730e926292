package io.millrace.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps the console quiet while tests pass: what they print goes to a file for each class, and a test that fails shows
 * its failure and its own part of the file. JUnit finds it by itself; it acts where the configuration parameter or system property
 * {@code millrace.testkit.output} names the folder of the files. Tests have to run one after another, as they do unless JUnit is told otherwise.
 */
public final class TestOutput implements TestExecutionListener {
    private static final String FOLDER = "millrace.testkit.output";

    private final Map<String, Long> beginBytes = new HashMap<>();
    private @Nullable CapturedOutput captured;
    private @Nullable TestPlan plan;

    /** Made by JUnit. */
    public TestOutput() {}

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        Optional<String> folder = started.getConfigurationParameters().get(FOLDER);
        if (folder.isPresent() && !folder.get().isBlank()) {
            plan = started;
            captured = new CapturedOutput(Path.of(folder.get()));
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (captured == null || test.getParentId().isEmpty()) {
            return;
        }
        Deque<TestIdentifier> path = path(test);
        if (path.size() == 1) {
            open(captured, className(test));
        } else if (test.isTest()) {
            captured.println("== " + name(path));
        }
        beginBytes.put(test.getUniqueId(), captured.writtenBytes());
    }

    private static void open(CapturedOutput captured, String className) {
        try {
            captured.open(className);
        } catch (IOException e) {
            throw new UncheckedIOException("no file for what " + className + " prints: look at " + FOLDER, e);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (captured == null) {
            return;
        }
        Long begin = beginBytes.remove(test.getUniqueId());
        if (result.getStatus() == Status.FAILED) {
            StringWriter text = new StringWriter();
            result.getThrowable().ifPresent(failure -> failure.printStackTrace(new PrintWriter(text, true)));
            captured.show("FAILED " + name(path(test)), text.toString(), begin == null ? 0 : begin);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        if (captured != null) {
            captured.close();
            captured = null;
        }
    }

    /** From the test's class to the test. */
    private Deque<TestIdentifier> path(TestIdentifier test) {
        Deque<TestIdentifier> path = new ArrayDeque<>();
        for (Optional<TestIdentifier> next = Optional.of(test); next.isPresent(); ) {
            Optional<TestIdentifier> parent = plan == null ? Optional.empty() : plan.getParent(next.get());
            if (parent.isPresent()) {
                path.addFirst(next.get());
            }
            next = parent;
        }
        return path;
    }

    private static String name(Deque<TestIdentifier> path) {
        return path.stream()
                .map(test -> test.equals(path.peekFirst()) ? className(test) : test.getDisplayName())
                .collect(Collectors.joining(" > "));
    }

    private static String className(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        return source instanceof ClassSource ofClass ? ofClass.getClassName() : test.getLegacyReportingName();
    }
}
