/** Tests of the worker pool that look inside. */
@NullMarked
package io.millrace.streams.engine.pool;

import org.jspecify.annotations.NullMarked;
