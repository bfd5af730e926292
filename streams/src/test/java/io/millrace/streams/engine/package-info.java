/** What the engine must do, tested through the public face of streams, and tests of it that look inside. */
@NullMarked
package io.millrace.streams.engine;

import org.jspecify.annotations.NullMarked;
