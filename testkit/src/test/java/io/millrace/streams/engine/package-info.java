/** Tests of the engine that look inside. */
@NullMarked
package io.millrace.streams.engine;

import org.jspecify.annotations.NullMarked;
