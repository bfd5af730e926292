/** Benchmarks beside the peers: the launcher, the list and the report. */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
