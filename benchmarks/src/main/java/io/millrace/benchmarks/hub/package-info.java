/** Fan-out through hubs beside the peers. */
@NullMarked
package io.millrace.benchmarks.hub;

import org.jspecify.annotations.NullMarked;
