package io.millrace.junit;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that all tests of this JVM share: one on a temporary folder, and one for each folder that was named. They end with the last
 * launcher session of JUnit, or else with the JVM.
 *
 * <p><b>Threads</b>: any. <b>Shared</b>: everything, under the monitor. <b>Proved by</b>: SharedBrokersTest.
 */
final class SharedBrokers {
    private static final SharedBrokers OF_THIS_JVM = new SharedBrokers();
    private static final String TENANT = "test";
    private static final int MAX_NAME_CHARS = 200;
    private static final Path TEMPORARY = Path.of("");

    private final Map<Path, RunningBroker> brokers = new HashMap<>();
    private final Map<String, Integer> useCounts = new HashMap<>();
    private int sessions;
    private @Nullable Thread closeWithJvm;

    static SharedBrokers ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** The broker of that folder, or the one on a temporary folder, started if need be, also where a test has closed it. */
    synchronized RunningBroker broker(@Nullable Path data) {
        if (closeWithJvm == null) {
            closeWithJvm = new Thread(this::closeAll, "millrace-close");
            Runtime.getRuntime().addShutdownHook(closeWithJvm);
        }
        Path key = data == null ? TEMPORARY : data.toAbsolutePath().normalize();
        RunningBroker running = brokers.get(key);
        if (running != null && running.broker().isClosed()) { // by a test
            brokers.remove(key);
            running.close();
            running = null;
        }
        if (running == null) {
            running = RunningBroker.start(data);
            brokers.put(key, running);
        }
        return running;
    }

    /** The namespace of a class. On a temporary folder each use of a class has a new one; on a named one it finds what it left there. */
    synchronized String namespace(Class<?> test, boolean isKept) {
        String name = test.getName().replace('$', '.').replaceAll("[^-=:.\\w]", "_");
        String end = name.substring(Math.max(0, name.length() - MAX_NAME_CHARS));
        int uses = isKept ? 1 : useCounts.merge(end, 1, Integer::sum);
        return TENANT + '/' + (uses == 1 ? end : end + '-' + uses);
    }

    synchronized void sessionOpened() {
        sessions++;
    }

    synchronized void sessionClosed() {
        sessions--;
        if (sessions == 0) {
            try {
                closeAll();
            } finally {
                forgetHook();
            }
        }
    }

    /** The JVM may go on for long, and would keep this class and all that it knows. */
    private void forgetHook() {
        if (closeWithJvm != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(closeWithJvm);
                closeWithJvm = null;
            } catch (IllegalStateException jvmEnds) {
                // The hook runs already, and finds nothing left to close.
                return;
            }
        }
    }

    /** Closes each, whatever becomes of the others; the first failure holds those of the others as suppressed. */
    private synchronized void closeAll() {
        RuntimeException first = null;
        for (RunningBroker broker : brokers.values()) {
            try {
                broker.close();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        brokers.clear();
        if (first != null) {
            throw first;
        }
    }
}
