/** Reactive Streams and java.util.concurrent.Flow at the edges of a stream: the TCK, and peers that break its rules. */
@NullMarked
package io.millrace.streams.reactive;

import org.jspecify.annotations.NullMarked;
