/** What becomes of failures before anybody handles them: a null where an element has to be, what supervision says, and how they are named. */
@NullMarked
package io.millrace.streams.engine.failure;

import org.jspecify.annotations.NullMarked;
