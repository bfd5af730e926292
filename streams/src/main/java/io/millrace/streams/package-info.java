/** Typed stream graphs with backpressure: what a user imports. */
@NullMarked
package io.millrace.streams;

import org.jspecify.annotations.NullMarked;
