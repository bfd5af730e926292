package io.millrace.docs.tidy;

import java.util.List;

/** A rule that looks at one Java file at a time. */
interface JavaRule {
    List<Finding> check(JavaSource source);
}
