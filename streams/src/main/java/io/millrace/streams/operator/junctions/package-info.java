/** More than one stream: one after the other, merged, paired, given out. */
@NullMarked
package io.millrace.streams.operator.junctions;

import org.jspecify.annotations.NullMarked;
