/** Where elements come from: iterators, functions, timers. */
@NullMarked
package io.millrace.streams.operator.sources;

import org.jspecify.annotations.NullMarked;
