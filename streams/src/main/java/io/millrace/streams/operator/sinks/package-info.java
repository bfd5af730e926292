/** Where elements go: folded, collected, handed to functions. */
@NullMarked
package io.millrace.streams.operator.sinks;

import org.jspecify.annotations.NullMarked;
