/** Blueprints, the plan compiler, islands and the interpreter; not for users. */
@NullMarked
package io.millrace.streams.engine;

import org.jspecify.annotations.NullMarked;
