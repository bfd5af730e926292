/** Work that completes later, in order and out of it. */
@NullMarked
package io.millrace.streams.operator.futures;

import org.jspecify.annotations.NullMarked;
