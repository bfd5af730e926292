/** Test classes with a broker and without, and the program that runs them. */
@NullMarked
package io.millrace.benchmarks.junit;

import org.jspecify.annotations.NullMarked;
