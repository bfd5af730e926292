/** Streams as programs write them: each is built in the call that runs it, with the library's own words, to its end. */
@NullMarked
package io.millrace.benchmarks.everyday;

import org.jspecify.annotations.NullMarked;
