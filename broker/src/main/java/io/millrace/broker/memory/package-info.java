/** How much memory the broker may use, and what happens when there is none left. */
@NullMarked
package io.millrace.broker.memory;

import org.jspecify.annotations.NullMarked;
