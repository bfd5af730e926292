package io.millrace.cli;

import io.millrace.cli.exit.ExitCode;

/** How a process ended that SIGTERM asked to. */
record Ended(int code, String err) {
    static final int SIGTERM_CODE = 143;

    static Ended of(Millrace process) {
        return new Ended(process.exitCode(), process.err());
    }

    /** By the signal, and in time. */
    boolean isInTime() {
        return code == SIGTERM_CODE;
    }

    /** It says so itself: on a machine that stands still for a while, a stop may take too long, once. */
    boolean isCutOff() {
        return code == ExitCode.FAILURE && err.contains("took longer");
    }
}
