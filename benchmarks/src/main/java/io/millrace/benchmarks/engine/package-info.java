/** What it costs to materialize and to run a graph, beside Pekko, RxJava and Reactor. */
@NullMarked
package io.millrace.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
