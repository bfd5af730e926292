package io.millrace.benchmarks.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Locale;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a case by JUnit as often as it is told, each time as one more class, and prints how long each class took, in milliseconds. */
public final class CasesProgram {
    private CasesProgram() {}

    /** The case's name without {@code Case}, and how many classes are run. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        Class<?> test = Class.forName(CasesProgram.class.getPackageName() + '.' + arguments[0] + "Case");
        Stopwatch stopwatch = new Stopwatch();
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(selectClass(test))
                                        .build(),
                                stopwatch);
            }
        }
        System.exit(stopwatch.failed ? 1 : 0);
    }

    private static final class Stopwatch implements TestExecutionListener {
        private long startedNanos;
        private boolean failed;

        @Override
        public void executionStarted(TestIdentifier test) {
            if (isClass(test)) {
                startedNanos = System.nanoTime();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (isClass(test)) {
                System.out.printf(Locale.ROOT, "class %.3f%n", (System.nanoTime() - startedNanos) / 1e6);
            }
            result.getThrowable().ifPresent(failure -> {
                failed = true;
                failure.printStackTrace();
            });
        }

        private static boolean isClass(TestIdentifier test) {
            return test.getUniqueIdObject().getSegments().size() == 2;
        }
    }
}
