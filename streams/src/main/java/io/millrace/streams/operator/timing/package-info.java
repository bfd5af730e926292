/** Buffers and rates; elements later, chosen by time, grouped by time; timeouts. */
@NullMarked
package io.millrace.streams.operator.timing;

import org.jspecify.annotations.NullMarked;
