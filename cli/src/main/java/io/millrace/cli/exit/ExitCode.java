package io.millrace.cli.exit;

import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of every command, for scripts; a signal's code is the shell's convention, 128 plus its number. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILURE = 1;
    public static final int USAGE = 2;
    public static final int OUT_OF_MEMORY = 3;
    public static final int INCOMPATIBLE = 4;
    public static final int BROKEN_PIPE = 141;

    private ExitCode() {}

    /** Each code and what it means, for a command's help. */
    public static Map<String, String> descriptions() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("  0", "done: all that was asked for is stored, or printed and acknowledged, durably");
        codes.put("  1", "it failed while running; stderr says why");
        codes.put("  2", "wrong usage or configuration; nothing was begun");
        codes.put("  3", "the heap was full; stderr says who held what");
        codes.put("  4", "schemas check: the broker would refuse the schema; stdout says why");
        codes.put("129", "stopped by SIGHUP, after a clean close");
        codes.put("130", "stopped by SIGINT, after a clean close");
        codes.put("141", "the reader of stdout went away; what it did not get is not acknowledged");
        codes.put("143", "stopped by SIGTERM, after a clean close");
        return codes;
    }
}
