/** Telling a running stage, beside Pekko's stage actor. */
@NullMarked
package io.millrace.benchmarks.actor;

import org.jspecify.annotations.NullMarked;
