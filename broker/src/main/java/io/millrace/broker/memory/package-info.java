/** What memory the broker has, and what becomes of it when there is none. */
@NullMarked
package io.millrace.broker.memory;

import org.jspecify.annotations.NullMarked;
