/** Races of the worker pool. */
@NullMarked
package io.millrace.streams.engine.pool;

import org.jspecify.annotations.NullMarked;
