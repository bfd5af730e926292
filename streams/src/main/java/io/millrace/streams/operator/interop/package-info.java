/** Reactive Streams: publishers and subscribers on either side. */
@NullMarked
package io.millrace.streams.operator.interop;

import org.jspecify.annotations.NullMarked;
