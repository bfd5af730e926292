/** Benchmarks below a millisecond: JMH classes, and how their results become figures. */
@NullMarked
package io.millrace.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
