/** Tests of this part of the engine, and what they need of it. */
@NullMarked
package io.millrace.streams.engine.segment;

import org.jspecify.annotations.NullMarked;
