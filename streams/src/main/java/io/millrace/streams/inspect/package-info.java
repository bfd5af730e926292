/** What can be seen of streams that run: snapshots and their drawings, who holds up a stream that stands still, monitors. */
@NullMarked
package io.millrace.streams.inspect;

import org.jspecify.annotations.NullMarked;
