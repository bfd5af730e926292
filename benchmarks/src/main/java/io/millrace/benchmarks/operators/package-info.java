/** The operators that are used most, one by one. */
@NullMarked
package io.millrace.benchmarks.operators;

import org.jspecify.annotations.NullMarked;
