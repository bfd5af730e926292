/** Races of the schedulers. */
@NullMarked
package io.millrace.streams.schedule;

import org.jspecify.annotations.NullMarked;
