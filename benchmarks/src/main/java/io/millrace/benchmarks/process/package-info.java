/** Whole-process benchmarks: a broker and its peer, each started as a user would start it. */
@NullMarked
package io.millrace.benchmarks.process;

import org.jspecify.annotations.NullMarked;
