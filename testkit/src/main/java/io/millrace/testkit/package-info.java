/** Probes and checks for users of the streams library. */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
