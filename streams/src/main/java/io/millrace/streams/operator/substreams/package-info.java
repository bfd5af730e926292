/** Streams of streams: groups, splits, sources made for elements. */
@NullMarked
package io.millrace.streams.operator.substreams;

import org.jspecify.annotations.NullMarked;
