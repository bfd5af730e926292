package io.millrace.cli;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What a command does when SIGTERM, SIGINT or SIGHUP asks the process to stop. */
final class StopSignal {
    private StopSignal() {}

    /**
     * Runs {@code close} when a signal arrives, on a thread of its own, and lets the process end when it has returned;
     * where it takes longer than {@code limit} or throws, the process says so and ends with code 1.
     *
     * @return takes the action back, for a command that ends by itself; does nothing once the action has begun
     */
    static Runnable onStop(Duration limit, Runnable close) {
        Thread hook = new Thread(() -> runWithin(limit, close), "millrace-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> remove(hook);
    }

    private static void runWithin(Duration limit, Runnable close) {
        Thread watchdog = new Thread(() -> haltAfter(limit), "millrace-stop-limit");
        watchdog.setDaemon(true);
        watchdog.start();
        try {
            close.run();
        } catch (RuntimeException e) {
            System.err.println("millrace: the stop was not clean: " + CommandFailure.reason(e));
            Runtime.getRuntime().halt(ExitCode.FAILURE);
        }
    }

    private static void haltAfter(Duration limit) {
        try {
            TimeUnit.NANOSECONDS.sleep(limit.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        System.err.println("millrace: the stop took longer than " + limit.toSeconds() + " s and was cut off");
        Runtime.getRuntime().halt(ExitCode.FAILURE);
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is stopping already: the action runs, and there is nothing to take back.
            assert e.getMessage() != null;
        }
    }
}
