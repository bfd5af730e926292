/** Bytes: framing, compression, files and streams. */
@NullMarked
package io.millrace.streams.operator.bytes;

import org.jspecify.annotations.NullMarked;
