/** Stages of one's own, as each library's documentation shows them: what an element costs from one to the next. */
@NullMarked
package io.millrace.benchmarks.stages;

import org.jspecify.annotations.NullMarked;
