/** What becomes of failures: mapped, recovered, retried, restarted; resources that are closed. */
@NullMarked
package io.millrace.streams.operator.failures;

import org.jspecify.annotations.NullMarked;
