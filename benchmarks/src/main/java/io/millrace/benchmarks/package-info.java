/** Benchmarks beside the peers: the launcher and the list. */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
