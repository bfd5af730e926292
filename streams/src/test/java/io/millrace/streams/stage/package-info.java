/** Tests of the stage API that look inside. */
@NullMarked
package io.millrace.streams.stage;

import org.jspecify.annotations.NullMarked;
