/**
 * The way of elements by calls: what gives a batch, what takes it, and a batch that stands in a ring. The interpreter's header draws it beside push and pull.
 *
 * <p><b>Read</b> BatchSource (who is to blame for what), BatchInput, BatchOutput; BatchSink; ElementBatch, BatchHandler.
 */
@NullMarked
package io.millrace.streams.engine.batch;

import org.jspecify.annotations.NullMarked;
